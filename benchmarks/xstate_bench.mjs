// Five guards in XState. In a folder of its own: npm install xstate, then node …/benchmarks/xstate_bench.mjs
import { createRequire } from "node:module";
import { join } from "node:path";

const { createActor, createMachine, getNextSnapshot } = createRequire(join(process.cwd(), "x.js"))("xstate");

const fields = { age: 41, name: "Ada", plan: "basic", turns: 0, angry: false };
const rules = [
  (f) => f.angry === true,
  (f) => !("age" in f),
  (f) => !f.name,
  (f) => f.plan === "pro" && f.age >= 65,
  (f) => f.age >= 38 && "name" in f,
];
const machine = createMachine({
  id: "five",
  initial: "agent",
  context: { fields },
  states: {
    agent: { on: { GO: rules.map((rule) => ({ target: "agent", guard: ({ context }) => rule(context.fields) })) } },
  },
});

/** Microseconds per call: the median of nine blocks, the least and the greatest. */
function timed(call, number) {
  for (let i = 0; i < number; i++) call();
  const samples = [];
  for (let block = 0; block < 9; block++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < number; i++) call();
    samples.push(Number(process.hrtime.bigint() - start) / number / 1000);
  }
  samples.sort((a, b) => a - b);
  return { us: samples[4], min: samples[0], max: samples[8] };
}

const actor = createActor(machine);
actor.start();
const snapshot = actor.getSnapshot();
const calls = {
  "XState actor.send, 5 guards": () => actor.send({ type: "GO" }),
  "XState getNextSnapshot (pure), 5 guards": () => getNextSnapshot(machine, snapshot, { type: "GO" }),
};
for (const [what, call] of Object.entries(calls)) {
  console.log(JSON.stringify({ what, ...timed(call, 20000) }));
}

const go = step => {
  const all = [...document.querySelectorAll(".lack a")], at = all.indexOf(document.activeElement);
  if (!all.length) return;
  const to = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length];
  to.focus({preventScroll: true});
  to.scrollIntoView({block: "center"});
};
addEventListener("keydown", e => {
  if (!e.ctrlKey && !e.metaKey && !e.altKey && "np".includes(e.key)) go(e.key === "n" ? 1 : -1);
});
document.querySelectorAll(".go button").forEach(button => button.addEventListener("click", () => go(+button.value)));

"""The functions of the database that write a commit and confirm a claim: a round trip, whatever a commit holds.

It checks and writes as `stores/sqlite/rows.py` does, and says why it wrote nothing. A row that another session has
locked is left at once, so that one conversation does not hold the others. A version of the function is never changed:
replicas of an earlier version of turnwise call it while newer ones run.
"""

_COMMIT = """
CREATE FUNCTION turnwise_commit_{number}(
    p_id text, p_process integer, p_fence bigint, p_part integer, p_again boolean,
    p_first integer, p_turns integer[], p_times bigint[], p_kinds smallint[], p_frames integer[], p_bodies bytea[],
    p_flow text, p_fingerprint text,
    p_key text, p_key_body text, p_key_turn integer,
    p_closing_seqs integer[], p_closing_frames integer[], p_closing_dues bigint[],
    p_state bytea, p_seq integer, p_turn integer, p_at_ms bigint, p_node text, p_status text, p_waits text,
    p_timer_dues bigint[], p_timers bytea[], p_delivery text
) RETURNS text LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
    v_n bigint;
    v_last integer;
    v_process integer;
    v_fence bigint;
    v_version bigint;
    v_owner text;
BEGIN
    SELECT n, seq INTO v_n, v_last FROM conversation WHERE id = p_id FOR UPDATE SKIP LOCKED;
    IF v_n IS NOT NULL THEN
        SELECT process, fence INTO v_process, v_fence FROM claim WHERE conversation = v_n;
        IF p_again AND (
            SELECT count(*) FROM unnest(p_bodies, p_times) WITH ORDINALITY AS one (body, at_ms, place)
            JOIN event ON event.conversation = v_n AND event.seq = p_first + one.place - 1
                AND event.body = one.body AND event.at_ms = one.at_ms
        ) = cardinality(p_bodies) THEN
            RETURN '';
        END IF;
    ELSIF EXISTS (SELECT 1 FROM conversation WHERE id = p_id) THEN
        RETURN 'locked';
    END IF;

    IF p_part = 0 AND v_process IS NOT NULL THEN
        RETURN 'busy';
    ELSIF p_part = 1 AND (v_process IS DISTINCT FROM p_process OR v_fence IS DISTINCT FROM p_fence) THEN
        RETURN 'superseded';{takeover}
    ELSIF p_part <> 0 THEN
        SELECT max(seq) INTO v_last FROM event WHERE conversation = v_n;
    END IF;
    IF p_first <> coalesce(v_last, 0) + 1 THEN
        RETURN coalesce(v_last, 0);
    END IF;

    IF v_n IS NULL THEN
        INSERT INTO conversation (id, flow, fingerprint, began_ms, at_ms, seq)
            VALUES (p_id, p_flow, p_fingerprint, p_times[1], p_times[1], 0)
            ON CONFLICT (id) DO NOTHING RETURNING n INTO v_n;
        IF v_n IS NULL THEN
            RETURN 'locked';
        END IF;
        IF position(':' IN p_id) > 0 THEN
            v_owner := split_part(p_id, ':', 1);
            INSERT INTO owner VALUES (v_owner, p_process % 16, 1)
                ON CONFLICT (name, slot) DO UPDATE SET conversations = owner.conversations + 1;
        END IF;
    END IF;

    INSERT INTO event (conversation, seq, turn, at_ms, kind, frame, body)
        SELECT v_n, p_first + place - 1, turn, at_ms, kind, frame, body
        FROM unnest(p_turns, p_times, p_kinds, p_frames, p_bodies)
            WITH ORDINALITY AS one (turn, at_ms, kind, frame, body, place);
    IF p_closing_seqs IS NOT NULL THEN
        INSERT INTO closing (conversation, seq, frame, due_ms)
            SELECT v_n, one.* FROM unnest(p_closing_seqs, p_closing_frames, p_closing_dues) AS one;
    END IF;
    IF p_key IS NOT NULL THEN
        INSERT INTO inbox (conversation, key, body, turn) VALUES (v_n, p_key, p_key_body, p_key_turn);
    END IF;

    IF p_state IS NULL THEN
        IF p_part <> 1 THEN
{claim}
        END IF;
        RETURN '';
    END IF;

    UPDATE conversation SET fingerprint = p_fingerprint, at_ms = p_at_ms, seq = p_seq, state = p_state,
        node = p_node, status = p_status, waits = p_waits WHERE n = v_n;
    DELETE FROM timer WHERE conversation = v_n;
    IF p_timers IS NOT NULL THEN
        SELECT n INTO v_version FROM version WHERE flow = p_flow AND fingerprint = p_fingerprint;
        IF v_version IS NULL THEN
            INSERT INTO version (flow, fingerprint) VALUES (p_flow, p_fingerprint)
                ON CONFLICT (flow, fingerprint) DO NOTHING;
            SELECT n INTO v_version FROM version WHERE flow = p_flow AND fingerprint = p_fingerprint;
        END IF;
        INSERT INTO timer (conversation, version, due_ms, body)
            SELECT v_n, v_version, due_ms, body
            FROM unnest(p_timer_dues, p_timers) WITH ORDINALITY AS one (due_ms, body, place) ORDER BY place;
    END IF;
    IF v_process IS NOT NULL THEN
        DELETE FROM claim WHERE conversation = v_n;
    END IF;
    IF p_delivery IS NOT NULL THEN
        INSERT INTO delivery (conversation, id, flow, turn, seq, at_ms, status, due_ms, since_ms)
            VALUES (v_n, p_delivery, p_flow, p_turn, p_seq, p_at_ms, 'waiting',
                CASE WHEN EXISTS (SELECT 1 FROM delivery WHERE conversation = v_n AND status IN ('waiting', 'sending'))
                    THEN NULL ELSE p_at_ms END, p_at_ms);
    END IF;
    IF NOT EXISTS (SELECT 1 FROM uncounted WHERE conversation = v_n) THEN
        INSERT INTO uncounted VALUES (v_n) ON CONFLICT DO NOTHING;
    END IF;
    RETURN '';
END $$;
"""
"""Returns an empty text where all was written, or already was (`p_again`). Else nothing was written: `locked` where
another session holds the conversation now, `busy` where a turn is under way, `superseded` where the claim belongs to
another process or run, or the last position, where the first entry does not follow it. `p_part` is 0 for the first
commit of a turn, 1 for a next one, 2 for a takeover.
"""

_ALIVE = """
    ELSIF p_part = 2 AND v_process <> p_process
            AND EXISTS (SELECT 1 FROM process WHERE n = v_process AND until > clock_timestamp()) THEN
        RETURN 'busy';"""

_CLAIM_1 = """            INSERT INTO claim (conversation, process, fence) VALUES (v_n, p_process, p_fence)
                ON CONFLICT (conversation) DO UPDATE
                SET process = p_process, fence = p_fence, rescued_until = NULL;"""
_CLAIM_3 = """            IF v_process IS NULL THEN
                INSERT INTO claim (conversation, process, fence) VALUES (v_n, p_process, p_fence);
            ELSE
                UPDATE claim SET process = p_process, fence = p_fence WHERE conversation = v_n;
            END IF;"""


def _version(number: int, takeover: str, claim: str) -> str:
    return _COMMIT.replace("{number}", str(number)).replace("{takeover}", takeover).replace("{claim}", claim)


COMMIT_1 = _version(1, "", _CLAIM_1)
"""The first version of the SQL function that commits."""
COMMIT_2 = _version(2, _ALIVE, _CLAIM_1)
"""The second version of the SQL function that commits."""
COMMIT_3 = _version(3, _ALIVE, _CLAIM_3)
"""The third version of the SQL function that commits. From version 2 on a takeover is `busy` where the replica that has
the turn is alive again. From version 3 on a claim is inserted without ON CONFLICT, which writes one more record to the
log of the server: the row of the conversation is locked."""

HOLDS_1 = """
CREATE FUNCTION turnwise_holds_1(p_id text, p_process integer, p_fence bigint) RETURNS boolean
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
    v_n bigint;
BEGIN
    SELECT n INTO v_n FROM conversation WHERE id = p_id FOR SHARE;
    RETURN EXISTS (SELECT 1 FROM claim WHERE conversation = v_n AND process = p_process AND fence = p_fence);
END $$;
"""
"""The SQL function that returns whether a run has the turn of a conversation. It waits for a takeover that is being
written, which may have found the replica dead; one that begins later finds the lease that was renewed before this call.
"""

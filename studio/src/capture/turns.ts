// Long loops in short turns, so that the page draws and reacts meanwhile.

/** Time of a turn, ms: half a frame. */
const TURN_MS = 8;
/** Steps between two checks of the clock. */
const STEPS = 20_000;

/** Lets the page draw and react. */
export function turn(): Promise<void> {
  return new Promise((settle) => setTimeout(settle, 0));
}

/** Calls `work` with consecutive ranges from 0 to `n`. Ends early, and returns false, once `isCancelled`. */
export async function inTurns(n: number, work: (from: number, to: number) => void, isCancelled: () => boolean = () => false): Promise<boolean> {
  let begun = performance.now();
  for (let at = 0; at < n; at += STEPS) {
    if (performance.now() - begun > TURN_MS) {
      await turn();
      if (isCancelled()) return false;
      begun = performance.now();
    }
    work(at, Math.min(at + STEPS, n));
  }
  return true;
}

// Position of an explanation on the screen. Pure, for tests.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Distance from the number and from the edges of the window, px. */
export const GAP = 6;

/** Below the number if there is room, else above it, else over it; always within the window. */
export function placeBeside(number: Box, size: Size, window: Size): { left: number; top: number } {
  const within = (at: number, length: number, whole: number) => Math.max(Math.min(at, whole - length - GAP), GAP);
  const below = number.top + number.height + GAP;
  const above = number.top - size.height - GAP;
  const fits = below + size.height + GAP <= window.height;
  const top = fits || above < GAP ? below : above;
  return { left: within(number.left, size.width, window.width), top: within(top, size.height, window.height) };
}

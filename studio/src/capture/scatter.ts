// Draws many dots as pixels of an image, because thousands of rectangles take longer than a frame.

import type { Scale } from "../charts/scale.ts";
import type { Transfers } from "./transfers.ts";

/** Size of a dot, px. */
const SIZE = 2;

let layer: HTMLCanvasElement | undefined;

/** Draws the transfers of indices `[first, end, step]` in a colour of the page, over the existing content. */
export function scatter(
  context: CanvasRenderingContext2D, { trigger_ns, latency_ns }: Transfers,
  [first, end, step]: readonly [number, number, number], x: Scale, y: Scale, colour: string,
): void {
  const ratio = context.getTransform().a;
  const { width } = context.canvas;
  // The lower end of the scale is the bottom of the plot.
  const height = Math.ceil((y(y.domain[0]) + SIZE) * ratio);
  layer ??= document.createElement("canvas");
  const target = layer.getContext("2d", { willReadFrequently: true });
  if (!target || !width || !height) return;
  layer.width = width;
  layer.height = height;
  target.fillStyle = colour;
  target.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = target.getImageData(0, 0, 1, 1).data;
  const image = target.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  // Bytes in memory are red, green, blue, alpha on every machine that browsers run on.
  const value = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  const size = Math.max(Math.round(SIZE * ratio), 1);
  for (let at = first; at < end; at += step) {
    const latency = latency_ns[at] as number;
    if (latency !== latency) continue;
    const column = Math.round(x(trigger_ns[at] as number) * ratio - size / 2);
    const row = Math.round(y(latency) * ratio - size / 2);
    if (column < 0 || column + size > width || row < 0 || row + size > height) continue;
    for (let down = row; down < row + size; down++) pixels.fill(value, down * width + column, down * width + column + size);
  }
  target.putImageData(image, 0, 0);
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(layer, 0, 0);
  context.restore();
}

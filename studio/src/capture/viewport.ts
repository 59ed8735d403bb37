// The visible part of a capture: zoom and pan within the whole. Pure.

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Narrowest span, ns: a few samples of a fast analyser. */
export const NARROWEST = 20;

/** The span moved and narrowed into the whole, and not narrower than `least`. */
export function clamped({ from, to }: Span, whole: Span, least = NARROWEST): Span {
  const most = whole.to - whole.from;
  if (!Number.isFinite(from) || !Number.isFinite(to)) return whole;
  const width = Math.min(Math.max(to - from, Math.min(least, most)), most);
  const middle = (from + to) / 2;
  const start = Math.min(Math.max(middle - width / 2, whole.from), whole.to - width);
  return { from: start, to: start + width };
}

/** The span with `factor` times its width, and the instant `about` at the same place. */
export function zoomed(span: Span, factor: number, about: number, whole: Span, least = NARROWEST): Span {
  const width = (span.to - span.from) * factor;
  const limited = Math.min(Math.max(width, Math.min(least, whole.to - whole.from)), whole.to - whole.from);
  const share = (about - span.from) / (span.to - span.from || 1);
  const from = about - share * limited;
  return clamped({ from, to: from + limited }, whole, least);
}

/** The span moved by a share of its width. */
export function panned(span: Span, share: number, whole: Span, least = NARROWEST): Span {
  const by = (span.to - span.from) * share;
  return clamped({ from: span.from + by, to: span.to + by }, whole, least);
}

/** A span around a part, with a margin on both sides. */
export function around(from: number, to: number, whole: Span, least = NARROWEST): Span {
  const margin = Math.max((to - from) * 0.25, least / 2);
  return clamped({ from: from - margin, to: to + margin }, whole, least);
}

/** A point of an image that must stay in view: `x` from -1 (left) to 1 (right), `y` from -1 (bottom) to 1 (top). */
export interface FocalPoint {
  x: number
  y: number
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)$/

/** Parses `"x,y"`. Clamps the coordinates to -1…1. Returns null for anything but two decimal numbers. */
export function parseFocalPoint(text: string): FocalPoint | null {
  if (text.length > 100) return null
  const parts = text.split(',').map((part) => part.trim())
  const [x, y] = parts
  if (parts.length !== 2 || !x || !y || !DECIMAL.test(x) || !DECIMAL.test(y)) return null
  return { x: clamp(x), y: clamp(y) }
}

/** Adding zero converts -0 to 0. */
function clamp(decimal: string): number {
  return Math.max(-1, Math.min(1, Number(decimal))) + 0
}

/** What came of one window. */
export interface Outcome {
  /** Per second. */
  rate: number
  count: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Answers that were not 2xx, in the window. */
  failures: number
  /** Of the last answer. */
  bytes: number
}

/** Counts while it is open. */
export class Window {
  #latencies: number[] = []
  failures = 0
  bytes = 0
  open = false

  count(ms: number, ok = true): void {
    if (!this.open) return
    this.#latencies.push(ms)
    if (!ok) this.failures += 1
  }

  close(windowMs: number): Outcome {
    this.open = false
    const sorted = Float64Array.from(this.#latencies).toSorted()
    const { length } = sorted
    const { failures, bytes } = this
    const rate = (length * 1000) / windowMs
    return { rate, count: length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), failures, bytes }
  }
}

/** The value below which so large a share of the others lies; 0 of nothing. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

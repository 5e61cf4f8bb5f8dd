/** The results of one window. */
export interface Outcome {
  /** Per second. */
  rate: number
  count: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** The responses in the window that were not 2xx. */
  failures: number
  /** The length of the last response. */
  bytes: number
}

/** Collects latencies while it is open. */
export class MeasurementWindow {
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

/** Returns the value below which this share of the sorted values lies; 0 if there are none. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

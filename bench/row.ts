import type { Stage } from './stage.ts'

/** What one window gave. What a row does not have stays away. */
export interface Sample {
  /** Per second. */
  rate?: number
  /** Milliseconds. */
  p50?: number
  p99?: number
  /** Microseconds of processor time for each. */
  serverUs?: number
  databaseUs?: number
  /** Answers that were not 2xx, events that did not come. */
  failures: number
  /** Of the last answer. */
  bytes?: number
}

/** What a row has to reach; `share` and `cpuShare` are of its first limit. */
export interface Goal {
  of: 'share' | 'cpuShare' | 'p50' | 'p99'
  atLeast?: number
  atMost?: number
}

/** What this machine could do at most, measured right after the row, in the same round. */
export interface Limit {
  title: string
  measure(stage: Stage, sample: Sample): Promise<Sample>
}

export interface Fact {
  name: string
  value: string
}

/** One line of the table. */
export interface Row {
  name: string
  goals?: readonly Goal[]
  limits?: readonly Limit[]
  /** Makes what the row needs beside the dataset: once, before any window. */
  prepare?(stage: Stage): Promise<void>
  /** One window. */
  measure(stage: Stage): Promise<Sample>
  /** What came out beside the samples. */
  facts?(): Fact[]
}

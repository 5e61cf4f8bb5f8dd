import type { BenchStage } from '../setup/open-stage.ts'

/** The results of one window. Fields that do not apply to a row are absent. */
export interface Sample {
  /** Per second. */
  rate?: number
  /** Milliseconds. */
  p50?: number
  p99?: number
  /** Microseconds of processor time per item. */
  serverUs?: number
  databaseUs?: number
  /** The number of responses that were not 2xx, or of missing events. */
  failures: number
  /** The length of the last response. */
  bytes?: number
}

/** A goal of a row; `share` and `cpuShare` are relative to its first limit. */
export interface Goal {
  of: 'share' | 'cpuShare' | 'p50' | 'p99'
  atLeast?: number
  atMost?: number
}

/** The maximum of this machine, measured directly after the row in the same round. */
export interface Limit {
  title: string
  measure(stage: BenchStage, sample: Sample): Promise<Sample>
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
  /** Creates the data that the row needs beside the dataset, once before all windows. */
  prepare?(stage: BenchStage): Promise<void>
  /** Measures one window. */
  measure(stage: BenchStage): Promise<Sample>
  /** Returns results that are not part of the samples. */
  facts?(): Fact[]
}

import type { AdminJob } from '../../../lib/api/admin-entities.ts'

export const JOB_STATES = ['dead', 'retrying', 'running', 'waiting', 'parked'] as const satisfies AdminJob['state'][]

/** The filter of the list of jobs, as it stands in the URL. */
export interface JobFilters {
  state?: (typeof JOB_STATES)[number]
}

/** Reads the filter of a URL. An unknown value counts as missing. */
export function readJobFilters(search: Record<string, unknown>): JobFilters {
  const state = JOB_STATES.find((name) => name === search.state)
  return state ? { state } : {}
}

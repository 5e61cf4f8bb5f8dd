import { sql } from 'kysely'
import { EVERY_JOB } from '../src/platform/jobs/queues.ts'

/** The jobs of all queues, for the `from` of a query that a test builds. */
export const everyJob = sql.raw<never>(EVERY_JOB)

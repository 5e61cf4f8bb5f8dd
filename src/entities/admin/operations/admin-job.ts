import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const JobState = oneOf(['waiting', 'running', 'retrying', 'dead', 'parked'], {
  description:
    '`retrying`: failed, and will run again; `dead`: no attempts left; `parked`: this version has no handler of that name.',
})

export const AdminJob = Type.Object(
  {
    id: Type.String(),
    queue: oneOf(['default', 'network', 'ingress', 'media']),
    name: Type.String(),
    state: JobState,
    attempts: Type.Integer(),
    max_attempts: Type.Integer(),
    run_at: DateTime,
    created_at: DateTime,
    last_error: nullable(Type.String(), { description: 'The first line of the error, without e-mail addresses.' }),
  },
  { $id: 'AdminJob', description: 'A background job, without its arguments.' },
)
export type AdminJob = Static<typeof AdminJob>

import { type Static, Type } from 'typebox'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'

export const AsyncRefresh = Type.Object(
  {
    id: Type.String(),
    status: oneOf(['running', 'finished']),
    result_count: nullable(Type.Integer(), { description: 'Number of results so far.' }),
  },
  { $id: 'AsyncRefresh', description: 'A background job whose results a later request will include.' },
)
export type AsyncRefresh = Static<typeof AsyncRefresh>

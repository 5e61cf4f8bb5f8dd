import { type Static, Type } from 'typebox'
import { nullable } from './nullable.ts'
import { oneOf } from './one-of.ts'

export const AsyncRefresh = Type.Object(
  {
    id: Type.String(),
    status: oneOf(['running', 'finished']),
    result_count: nullable(Type.Integer(), { description: 'What was found so far.' }),
  },
  { $id: 'AsyncRefresh', description: 'Work going on behind an answer that will be fuller later.' },
)
export type AsyncRefresh = Static<typeof AsyncRefresh>

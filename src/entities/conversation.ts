import { type Static, Type } from 'typebox'
import { Account } from './account.ts'
import { Id } from './id.ts'
import { nullable } from './nullable.ts'
import { ref } from './ref.ts'
import { Status } from './status.ts'

export const Conversation = Type.Object(
  {
    id: Id,
    unread: Type.Boolean(),
    accounts: Type.Array(ref(Account), { description: 'The other participants; the caller if there are none.' }),
    last_status: nullable(ref(Status)),
  },
  { $id: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

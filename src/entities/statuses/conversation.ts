import { type Static, Type } from 'typebox'
import { Account } from '../accounts/account.ts'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { ref } from '../schema/ref.ts'
import { Status } from './status.ts'

export const Conversation = Type.Object(
  {
    id: Id,
    unread: Type.Boolean(),
    accounts: Type.Array(ref(Account), { description: 'The other participants, or the caller if there are none.' }),
    last_status: nullable(ref(Status)),
  },
  { $id: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

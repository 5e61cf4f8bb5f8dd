import { type Static, Type } from 'typebox'
import { Account } from '../../accounts/account.ts'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { ref } from '../../schema/ref.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminNote = Type.Object(
  {
    id: Id,
    content: Type.String({ description: 'Plain text.' }),
    created_at: DateTime,
    account: nullable(ref(Account), { description: 'Who wrote it. Null for deleted accounts.' }),
    deletable: Type.Boolean({
      description: 'Whether you may delete it: your own, and those of staff with lower roles.',
    }),
  },
  { $id: 'AdminNote', description: 'A private note of the staff on an account or a report.' },
)
export type AdminNote = Static<typeof AdminNote>

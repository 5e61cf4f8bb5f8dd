import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { ref } from '../../schema/ref.ts'
import { DateTime } from '../../schema/time.ts'
import { DailyUse } from '../../statuses/tag.ts'

export const AdminEmailDomainBlock = Type.Object(
  {
    id: Id,
    domain: Type.String(),
    created_at: DateTime,
    history: Type.Array(ref(DailyUse), {
      description: 'Sign-ups that the block matched (`uses`), and their IP addresses (`accounts`), newest day first.',
    }),
    allow_with_approval: Type.Boolean({ description: 'New users await approval; otherwise sign-ups are refused.' }),
  },
  { $id: 'AdminEmailDomainBlock', description: 'A block of an e-mail domain (Admin::EmailDomainBlock).' },
)
export type AdminEmailDomainBlock = Static<typeof AdminEmailDomainBlock>

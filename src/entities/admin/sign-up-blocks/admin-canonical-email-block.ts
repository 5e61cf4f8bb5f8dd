import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'

export const AdminCanonicalEmailBlock = Type.Object(
  {
    id: Id,
    canonical_email_hash: Type.String({
      description:
        'SHA-256, in hexadecimal digits, of the address in lower case, without dots and `+tag` in the local part.',
    }),
  },
  { $id: 'AdminCanonicalEmailBlock', description: 'A block of an e-mail address (Admin::CanonicalEmailBlock).' },
)
export type AdminCanonicalEmailBlock = Static<typeof AdminCanonicalEmailBlock>

import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminDomainBlock = Type.Object(
  {
    id: Id,
    domain: Type.String(),
    digest: Type.String({ description: 'SHA-256 of the domain, hexadecimal.' }),
    created_at: DateTime,
    severity: oneOf(['noop', 'silence', 'suspend']),
    reject_media: Type.Boolean(),
    reject_reports: Type.Boolean(),
    private_comment: nullable(Type.String()),
    public_comment: nullable(Type.String()),
    obfuscate: Type.Boolean({ description: 'The published list shows only a part of the domain.' }),
  },
  { $id: 'AdminDomainBlock', description: 'A block of a domain as the staff see it (Admin::DomainBlock).' },
)
export type AdminDomainBlock = Static<typeof AdminDomainBlock>

import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminDomainAllow = Type.Object(
  { id: Id, domain: Type.String(), created_at: DateTime },
  { $id: 'AdminDomainAllow', description: 'A domain that may federate (Admin::DomainAllow).' },
)
export type AdminDomainAllow = Static<typeof AdminDomainAllow>

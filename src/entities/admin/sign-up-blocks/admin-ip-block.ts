import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const IpBlockSeverity = oneOf(['sign_up_requires_approval', 'sign_up_block', 'no_access'])

export const AdminIpBlock = Type.Object(
  {
    id: Id,
    ip: Type.String({ description: 'An address range in CIDR notation.' }),
    severity: IpBlockSeverity,
    comment: Type.String({ description: 'For the staff.' }),
    created_at: DateTime,
    expires_at: nullable(DateTime, { description: 'Null: the block does not expire.' }),
  },
  { $id: 'AdminIpBlock', description: 'A block of an IP address or a range of addresses (Admin::IpBlock).' },
)
export type AdminIpBlock = Static<typeof AdminIpBlock>

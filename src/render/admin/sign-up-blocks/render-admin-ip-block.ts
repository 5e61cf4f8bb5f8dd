import type { IpBlockRow } from '../../../domain/ip-blocks/list-ip-blocks.ts'
import type { AdminIpBlock } from '../../../entities/admin/sign-up-blocks/admin-ip-block.ts'

export function renderAdminIpBlock({ id, ip, severity, comment, created_at, expires_at }: IpBlockRow): AdminIpBlock {
  return {
    id,
    ip,
    severity,
    comment,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  }
}

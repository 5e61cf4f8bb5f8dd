import type { DomainAllowRow } from '../../../domain/domain-blocks/allow-domain.ts'
import type { AdminDomainAllow } from '../../../entities/admin/federation/admin-domain-allow.ts'
import { entity } from '../../../lib/json/entity-json.ts'

export function renderAdminDomainAllow({ id, domain, created_at: createdAt }: DomainAllowRow): AdminDomainAllow {
  return entity<AdminDomainAllow>({ id, domain, created_at: createdAt.toISOString() })
}

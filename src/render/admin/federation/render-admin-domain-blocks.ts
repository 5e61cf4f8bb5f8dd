import { createHash } from 'node:crypto'
import type { DomainBlockRow } from '../../../domain/domain-blocks/list-domain-blocks.ts'
import { findDomainBlockById } from '../../../domain/domain-blocks/list-domain-blocks.ts'
import type { Read } from '../../../domain/context.ts'
import type { AdminDomainBlock } from '../../../entities/admin/federation/admin-domain-block.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { entity } from '../../../lib/json/entity-json.ts'

export function renderAdminDomainBlock(block: DomainBlockRow): AdminDomainBlock {
  return entity<AdminDomainBlock>({
    id: block.id,
    domain: block.domain,
    digest: createHash('sha256').update(block.domain).digest('hex'),
    created_at: block.createdAt.toISOString(),
    severity: block.severity,
    reject_media: block.rejectMedia,
    reject_reports: block.rejectReports,
    private_comment: block.privateComment || null,
    public_comment: block.publicComment || null,
    obfuscate: block.obfuscate,
  })
}

/** Returns one block (Mastodon: GET /api/v1/admin/domain_blocks/:id). @throws NotFoundError */
export async function renderAdminDomainBlockById(read: Read, { id }: { id: string }): Promise<AdminDomainBlock> {
  const block = await findDomainBlockById(read, { id })
  if (!block) throw new NotFoundError()
  return renderAdminDomainBlock(block)
}

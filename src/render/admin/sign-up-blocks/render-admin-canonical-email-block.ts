import type { CanonicalEmailBlockRow } from '../../../domain/email-blocks/canonical-email-blocks.ts'
import type { AdminCanonicalEmailBlock } from '../../../entities/admin/sign-up-blocks/admin-canonical-email-block.ts'

export function renderAdminCanonicalEmailBlock({ id, email_hash }: CanonicalEmailBlockRow): AdminCanonicalEmailBlock {
  return { id, canonical_email_hash: email_hash.toString('hex') }
}

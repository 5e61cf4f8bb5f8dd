import type { Read } from '../../domain/context.ts'
import { findSettingText } from '../../domain/instance/instance-settings.ts'
import { findTerms } from '../../domain/instance/terms-of-service.ts'
import type { AdminDocumentPreview } from '../../entities/admin/settings/admin-document-preview.ts'
import type { ExtendedDescription, TermsOfService } from '../../entities/instance/instance.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { formatDocument } from '../../lib/html/format-document.ts'

/** Returns a document of the administrators; empty if they have not published it. */
export async function renderDocument(
  read: Read,
  { name }: { name: 'extended-description' | 'privacy-policy' },
): Promise<ExtendedDescription> {
  const found = await findSettingText(read, { name })
  if (!found) return entity<ExtendedDescription>({ updated_at: null, content: '' })
  return entity<ExtendedDescription>({
    updated_at: found.updatedAt.toISOString(),
    content: await formatDocument(found.text, { base: read.config.origin }),
  })
}

/** Returns the terms of service in effect, or the next ones; with a date, those of that day. @throws NotFoundError */
export async function renderTerms(
  read: Read,
  { now, date }: { now: Date; date?: string | undefined },
): Promise<TermsOfService> {
  const terms = await findTerms(read, { now, ...(date !== undefined && { date }) })
  return entity<TermsOfService>({
    effective_date: terms.effectiveDate,
    effective: terms.effective,
    content: await formatDocument(terms.text, { base: read.config.origin }),
    succeeded_by: terms.succeededBy,
  })
}

/** Returns a text as the pages of documents show it (Linnet: POST /api/v1/admin/settings/preview). */
export async function renderDocumentPreview(
  read: Pick<Read, 'config'>,
  { text }: { text: string },
): Promise<AdminDocumentPreview> {
  return entity<AdminDocumentPreview>({ content: await formatDocument(text, { base: read.config.origin }) })
}

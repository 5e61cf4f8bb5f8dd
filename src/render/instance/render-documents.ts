import type { Read } from '../../domain/context.ts'
import { readOwnersText } from '../../domain/instance/settings.ts'
import { findTerms } from '../../domain/instance/terms.ts'
import type { ExtendedDescription, TermsOfService } from '../../entities/instance.ts'
import { entity } from '../../lib/entity-json.ts'
import { formatDocument } from '../../lib/text/formatDocument.ts'

/** Returns a document of the administrators; empty if they have not written it. */
export async function renderDocument(
  read: Read,
  { name }: { name: 'extended-description' | 'privacy-policy' },
): Promise<ExtendedDescription> {
  const found = await readOwnersText(read, { name })
  if (!found) return entity<ExtendedDescription>({ updated_at: null, content: '' })
  return entity<ExtendedDescription>({
    updated_at: found.updatedAt.toISOString(),
    content: await formatDocument(found.text, { base: read.config.origin }),
  })
}

/** Returns the terms of service in force or first to come into force; with a date, those of that day. @throws NotFound */
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

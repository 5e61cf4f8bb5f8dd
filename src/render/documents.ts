import type { Read } from '../domain/context.ts'
import { readOwnersText } from '../domain/instance/settings.ts'
import { findTerms } from '../domain/instance/terms.ts'
import type { ExtendedDescription, TermsOfService } from '../entities/instance.ts'
import { formatDocument } from '../lib/text/formatDocument.ts'

/** A longer text of the owner; empty where there is none. */
export async function renderDocument(
  read: Read,
  { name }: { name: 'extended-description' | 'privacy-policy' },
): Promise<ExtendedDescription> {
  const found = await readOwnersText(read, { name })
  if (!found) return { updated_at: null, content: '' }
  return {
    updated_at: found.updatedAt.toISOString(),
    content: await formatDocument(found.text, { base: read.config.origin }),
  }
}

/** The terms of service that hold now, or will first hold; of a date, those of that day. @throws NotFound */
export async function renderTerms(
  read: Read,
  { now, date }: { now: Date; date?: string | undefined },
): Promise<TermsOfService> {
  const terms = await findTerms(read, { now, ...(date !== undefined && { date }) })
  return {
    effective_date: terms.effectiveDate,
    effective: terms.effective,
    content: await formatDocument(terms.text, { base: read.config.origin }),
    succeeded_by: terms.succeededBy,
  }
}

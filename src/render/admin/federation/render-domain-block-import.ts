import { readBlockListError } from '../../../domain/moderation/domain-blocks/import/block-list-errors.ts'
import type {
  ImportedBlockRow,
  ImportRow,
} from '../../../domain/moderation/domain-blocks/import/domain-block-imports.ts'
import type {
  AdminDomainBlockDraft,
  AdminDomainBlockImport,
} from '../../../entities/admin/federation/admin-domain-block-import.ts'
import { entity } from '../../../lib/json/entity-json.ts'

export function renderDomainBlockImport(row: ImportRow): AdminDomainBlockImport {
  return entity<AdminDomainBlockImport>({
    id: row.id,
    state: row.state,
    overwrite: row.overwrite,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    new_count: row.new,
    changed_count: row.changed,
    unchanged_count: row.unchanged,
    invalid_count: row.invalid,
    selected_count: row.selected,
    applied_count: row.applied,
    skipped_count: row.skipped,
    failed_count: row.failed,
  })
}

export function renderDomainBlockDraft(row: ImportedBlockRow): AdminDomainBlockDraft {
  const error = row.error === null ? null : readBlockListError(row.error)
  return entity<AdminDomainBlockDraft>({
    id: row.id,
    line: row.line,
    domain: row.domain,
    severity: row.severity,
    reject_media: row.reject_media,
    reject_reports: row.reject_reports,
    public_comment: row.public_comment || null,
    obfuscate: row.obfuscate,
    status: row.status,
    weakens: row.weakens,
    error: error?.text ?? null,
    error_code: error?.code ?? null,
    repeated_line: error?.line ?? null,
    accounts_count: row.accounts_count,
    follows_count: row.follows_count,
    state: row.state,
  })
}

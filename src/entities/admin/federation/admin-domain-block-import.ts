import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

export const AdminDomainBlockImport = Type.Object(
  {
    id: Id,
    state: oneOf(['draft', 'applying', 'applied'], { description: '`draft`: nothing has been applied.' }),
    overwrite: Type.Boolean({ description: 'Whether rows may weaken existing blocks.' }),
    created_at: DateTime,
    finished_at: nullable(DateTime),
    new_count: Type.Integer({ description: 'Rows whose domain has no block of its own.' }),
    changed_count: Type.Integer({ description: 'Rows that differ from the block of their domain.' }),
    unchanged_count: Type.Integer(),
    invalid_count: Type.Integer(),
    selected_count: Type.Integer({ description: 'Confirmed rows that the job has not applied yet.' }),
    applied_count: Type.Integer(),
    skipped_count: Type.Integer({ description: 'Rows that would have weakened an existing block.' }),
    failed_count: Type.Integer(),
  },
  { $id: 'AdminDomainBlockImport', description: 'An uploaded list of domain blocks. Specific to Linnet.' },
)
export type AdminDomainBlockImport = Static<typeof AdminDomainBlockImport>

export const AdminDomainBlockDraft = Type.Object(
  {
    id: Id,
    line: Type.Integer({ description: 'In the file, from 1.' }),
    domain: Type.String({ description: 'Canonical; of an invalid row, as typed.' }),
    severity: oneOf(['noop', 'silence', 'suspend']),
    reject_media: Type.Boolean(),
    reject_reports: Type.Boolean(),
    public_comment: nullable(Type.String()),
    obfuscate: Type.Boolean(),
    status: oneOf(['new', 'changed', 'unchanged', 'invalid'], { description: 'At the time of the upload.' }),
    weakens: Type.Boolean({ description: 'An existing block is stricter: skipped without `overwrite`.' }),
    error: nullable(Type.String(), { description: 'Why the row is invalid or could not be applied, in English.' }),
    error_code: nullable(
      oneOf([
        'comment_too_long',
        'invalid_domain',
        'invalid_value',
        'obfuscated_domain',
        'own_domain',
        'repeated',
        'unknown_severity',
      ]),
      { description: 'Why the row is invalid.' },
    ),
    repeated_line: nullable(Type.Integer(), { description: 'The earlier line with the same domain.' }),
    accounts_count: Type.Integer({ description: 'Known accounts of the domain and its subdomains.' }),
    follows_count: Type.Integer({ description: 'Their follows of and by local users, which a suspension ends.' }),
    state: oneOf(['draft', 'selected', 'applied', 'skipped', 'failed']),
  },
  { $id: 'AdminDomainBlockDraft', description: 'A row of an uploaded list of domain blocks. Specific to Linnet.' },
)
export type AdminDomainBlockDraft = Static<typeof AdminDomainBlockDraft>

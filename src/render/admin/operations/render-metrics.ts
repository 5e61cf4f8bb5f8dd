import type { Read } from '../../../domain/context.ts'
import { startOfDay } from '../../../domain/core/usage-history.ts'
import type { Period } from '../../../domain/metrics/period.ts'
import type { Dimension } from '../../../domain/metrics/read-dimensions.ts'
import type { Measure } from '../../../domain/metrics/read-measures.ts'
import type { Cohort, CohortFrequency } from '../../../domain/metrics/read-retention.ts'
import type { AdminCohort, AdminDimension, AdminMeasure } from '../../../entities/admin/operations/admin-metrics.ts'
import { entity } from '../../../lib/json/entity-json.ts'
import { formatBytes } from '../../../lib/text/format-bytes.ts'
import { languageNameOf } from '../../../lib/text/language.ts'

export function renderMeasure({ key, total, previousTotal, days }: Measure, { firstDay }: Period): AdminMeasure {
  const isSize = key === 'instance_media_attachments'
  return entity<AdminMeasure>({
    key,
    unit: isSize ? 'bytes' : null,
    total,
    human_value: isSize ? formatBytes(Number(total)) : undefined,
    previous_total: previousTotal ?? undefined,
    data: days.map((value, n) => ({ date: startOfDay(firstDay + n).toISOString(), value })),
  })
}

type DimensionValue = AdminDimension['data'][number]

export function renderDimension(read: Pick<Read, 'config'>, { key, rows }: Dimension): AdminDimension {
  return entity<AdminDimension>({
    key,
    data: rows.map((row): DimensionValue => {
      const [valueKey, human_key] = namesOf(read, key, row.key)
      const value = { key: valueKey, human_key, value: row.value }
      if (key === 'space_usage') return { ...value, unit: 'bytes', human_value: formatBytes(Number(row.value)) }
      return key === 'software_versions' ? { ...value, human_value: row.value } : value
    }),
  })
}

const NAMES: Readonly<Record<string, string>> = {
  linnet: 'Linnet',
  media: 'Media storage',
  node: 'Node.js',
  postgresql: 'PostgreSQL',
}

/** Returns the key and the English name of a value of a dimension. */
function namesOf(
  { config }: Pick<Read, 'config'>,
  dimension: Dimension['key'],
  key: string | null,
): [key: string, name: string] {
  switch (dimension) {
    case 'languages':
    case 'tag_languages':
    case 'instance_languages':
      return key === null ? ['und', 'Unknown'] : [key, languageNameOf(key)]
    case 'sources':
      return key === null ? ['web', 'Website'] : [key, key]
    case 'servers':
    case 'tag_servers':
      return [key ?? config.localDomain, key ?? config.localDomain]
    case 'space_usage':
    case 'software_versions':
      return [key ?? '', NAMES[key ?? ''] ?? '']
    case 'instance_accounts':
      return [key ?? '', key ?? '']
  }
}

export function renderCohort({ startsAt, data }: Cohort, frequency: CohortFrequency): AdminCohort {
  return entity<AdminCohort>({
    period: startsAt.toISOString(),
    frequency,
    data: data.map(({ startsAt: date, rate, users }) => ({ date: date.toISOString(), rate, value: String(users) })),
  })
}

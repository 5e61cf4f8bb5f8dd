import { useQuery } from '@tanstack/react-query'
import { adminApi } from '../../../../lib/api/admin-api.ts'
import type { AdminActionImpact, AdminStatusActionImpact } from '../../../../lib/api/admin-entities.ts'
import { formatFullTime, formatNumber } from '../../../../lib/i18n/formats.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import { formatBytes } from './format-bytes.ts'
import { QueryResult } from '../list/query-result.tsx'
import admin from '../admin.module.css'

/** What an action would affect. `statusIds`: the statuses that it would delete. */
export interface ImpactOf {
  accountId: string
  type: string
  statusIds?: readonly string[]
}

type Impact = AdminActionImpact | AdminStatusActionImpact

const COUNTS = [
  'statusesCount',
  'repliesCount',
  'reblogsCount',
  'favouritesCount',
  'bookmarksCount',
  'quotesCount',
  'localFollowersCount',
  'remoteFollowersCount',
  'localFollowingCount',
  'remoteFollowingCount',
  'lostFollowsCount',
  'followRequestsCount',
  'listsCount',
  'collectionsCount',
  'openReportsCount',
  'sessionsCount',
  'applicationsCount',
  'scheduledStatusesCount',
  'mediaFilesCount',
  'serversCount',
] as const

export function useImpact({ accountId, type, statusIds }: ImpactOf) {
  return useQuery({
    queryKey: ['admin', 'impact', accountId, type, statusIds ?? null],
    queryFn: async () => {
      const endpoint = statusIds
        ? adminApi('accounts', accountId, 'statuses', 'action_impact')
        : adminApi('accounts', accountId, 'action_impact')
      return (await endpoint.fetch({ type, ...(statusIds && { statusIds }) })) as Impact
    },
    staleTime: 0,
  })
}

/** The numbers of what an action would affect, and whether it can be undone. */
export function ImpactFacts({ query }: { query: ReturnType<typeof useImpact> }) {
  return (
    <section aria-label={message('web.admin.impact.title')}>
      <QueryResult query={query}>
        {(impact) => {
          const counts: Partial<Record<string, number>> = { ...numbersOf(impact) }
          const shown = COUNTS.filter((name) => (counts[name] ?? 0) > 0)
          return (
            <>
              <dl className={admin.facts}>
                {shown.map((name) => (
                  <div key={name} className={admin.fact}>
                    <dt>{message(`web.admin.impact.${name}`)}</dt>
                    <dd>
                      {formatNumber(counts[name] ?? 0)}
                      {counts[name] === impact.countsLimit && '+'}
                      {name === 'mediaFilesCount' && ` (${formatBytes(impact.mediaFilesBytes)})`}
                    </dd>
                  </div>
                ))}
              </dl>
              <p className={admin.soft}>
                {shown.length === 0 && `${message('web.admin.impact.none')} `}
                {reversibilityOf(impact)}
              </p>
            </>
          )
        }}
      </QueryResult>
    </section>
  )
}

function numbersOf(impact: Impact): Record<string, number> {
  return Object.fromEntries(Object.entries(impact).filter(([, value]) => typeof value === 'number')) as Record<
    string,
    number
  >
}

function reversibilityOf({ reversible, reversibleUntil }: Impact): string {
  if (!reversible) return message('web.admin.impact.final')
  return reversibleUntil === null
    ? message('web.admin.impact.reversible')
    : message('web.admin.impact.reversible-until', { time: formatFullTime(new Date(reversibleUntil)) })
}

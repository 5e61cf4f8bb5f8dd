import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { formatBytes } from '../shared/decisions/format-bytes.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { previewQuery } from './domain-block-queries.ts'
import admin from '../shared/admin.module.css'

const TYPING_MS = 400

/** What is stored of a domain, and what a block would end. Nothing for a text that is no domain. */
export function DomainPreview({ domain }: { domain: string }) {
  const [typed, setTyped] = useState(domain)
  useEffect(() => {
    const timer = setTimeout(() => setTyped(domain.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [domain])
  const query = useQuery(previewQuery(typed.includes('.') ? typed : ''))
  if (!typed.includes('.') || query.isError) return null
  return (
    <section aria-label={message('web.admin.impact.title')}>
      <QueryResult query={query}>
        {(preview) => (
          <dl className={admin.facts}>
            {(
              [
                ['accountsCount', preview.accountsCount],
                ['statusesCount', preview.statusesCount],
                ['followingCount', preview.followingCount],
                ['followersCount', preview.followersCount],
                ['usersCount', preview.usersCount],
                ['reportsCount', preview.reportsCount],
                ['mediaFilesCount', preview.mediaFilesCount],
              ] as const
            ).map(([name, count]) => (
              <div key={name} className={admin.fact}>
                <dt>{message(`web.admin.domain-blocks.preview.${name}`)}</dt>
                <dd>
                  {formatNumber(count)}
                  {name === 'mediaFilesCount' && count > 0 && ` (${formatBytes(preview.mediaFilesBytes)})`}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </QueryResult>
    </section>
  )
}

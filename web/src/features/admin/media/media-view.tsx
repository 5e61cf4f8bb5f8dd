import { useQuery } from '@tanstack/react-query'
import type { AdminMedia } from '../../../lib/api/admin-entities.ts'
import { formatFullTime, formatNumber, formatPercent } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { formatBytes } from '../shared/decisions/format-bytes.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { mediaQuery } from './media-queries.ts'
import { PurgeForm } from './purge-form.tsx'
import admin from '../shared/admin.module.css'
import table from '../shared/list/table.module.css'
import styles from './media-view.module.css'

/** What the files of this server need, and the cache of remote media with its purge. */
export function MediaView() {
  const query = useQuery(mediaQuery)
  return (
    <QueryResult query={query}>
      {(media) => (
        <>
          <Cache media={media} />
          <Usage media={media} />
        </>
      )}
    </QueryResult>
  )
}

function Cache({ media }: { media: AdminMedia }) {
  const { cacheFiles, cacheBytes, cacheMaxBytes, purge } = media
  const part = cacheMaxBytes === 0 ? 0 : cacheBytes / cacheMaxBytes
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.media.cache')}</h2>
      {cacheMaxBytes === 0 ? (
        <p>{message('web.admin.media.cache-disabled')}</p>
      ) : (
        <>
          <p>
            {message('web.admin.media.cache-size', {
              bytes: formatBytes(cacheBytes),
              maximum: formatBytes(cacheMaxBytes),
              part: formatPercent(part),
              files: formatNumber(cacheFiles),
            })}
          </p>
          <meter className={styles.meter} min={0} max={1} value={part} aria-label={message('web.admin.media.cache')} />
        </>
      )}
      {purge && <Purge purge={purge} />}
      <PurgeForm />
    </section>
  )
}

function Purge({ purge }: { purge: NonNullable<AdminMedia['purge']> }) {
  const { running, startedAt, finishedAt, totalFiles, examinedFiles, removedFiles, removedBytes, byDomain } = purge
  return (
    <div className={styles.purge}>
      <h3 className={styles.heading}>
        {message(running ? 'web.admin.media.purge-runs' : 'web.admin.media.last-purge')}
      </h3>
      {running && (
        <progress
          className={styles.meter}
          max={Math.max(1, totalFiles)}
          value={examinedFiles}
          aria-label={message('web.admin.media.purge-runs')}
        />
      )}
      <dl className={admin.facts}>
        {byDomain !== null && (
          <>
            <dt>{message('web.admin.domain-blocks.domain')}</dt>
            <dd dir="ltr">{byDomain}</dd>
          </>
        )}
        <dt>{message('web.admin.media.started')}</dt>
        <dd>{formatFullTime(new Date(startedAt))}</dd>
        {finishedAt !== null && (
          <>
            <dt>{message('web.admin.media.finished')}</dt>
            <dd>{formatFullTime(new Date(finishedAt))}</dd>
          </>
        )}
        <dt>{message('web.admin.media.removed')}</dt>
        <dd>
          {formatNumber(removedFiles)} ({formatBytes(removedBytes)})
        </dd>
      </dl>
    </div>
  )
}

function Usage({ media: { usage } }: { media: AdminMedia }) {
  return (
    <section className={admin.part}>
      <h2 id="media-usage">{message('web.admin.media.usage')}</h2>
      {usage.length === 0 ? (
        <p>{message('web.admin.media.not-measured')}</p>
      ) : (
        <>
          {/* Focusable, so that keyboards can scroll it. */}
          <div className={table.scroll} role="region" aria-labelledby="media-usage" tabIndex={0}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">{message('web.admin.media.kind')}</th>
                  <th scope="col">{message('web.admin.accounts.origin')}</th>
                  <th scope="col" className={table.number}>
                    {message('web.admin.media.files')}
                  </th>
                  <th scope="col" className={table.number}>
                    {message('web.admin.media.size')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {usage.map(({ kind, origin, files, bytes }) => (
                  <tr key={`${kind} ${origin}`}>
                    <th scope="row">{message(`web.admin.media.kind.${kind}`)}</th>
                    <td>{message(`web.admin.accounts.origin.${origin}`)}</td>
                    <td className={table.number}>{formatNumber(files)}</td>
                    <td className={table.number}>{formatBytes(bytes)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className={admin.soft}>
            {message('web.admin.media.measured', { time: formatFullTime(new Date(usage[0]!.measuredAt)) })}
          </p>
        </>
      )}
    </section>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { AnnualReport as Report } from '../../lib/api/entities.ts'
import { formatNumber } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { StatusCard } from '../statuses/card/status-card.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import {
  annualReportQuery,
  annualReportStateQuery,
  generateReport,
  markReportRead,
  unreadReportsQuery,
} from './annual-report-queries.ts'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './annual-report.module.css'

/** The report of a year, or what the user can do to get it. */
export function AnnualReport({ year }: { year: string }) {
  const { data: state, isError, refetch } = useQuery(annualReportStateQuery(year))
  if (!state) return isError ? <LoadingFailed retry={() => void refetch()} /> : <StatusSkeletons count={2} />
  switch (state) {
    case 'available':
      return <AvailableReport year={year} />
    case 'generating':
      return (
        <div role="status">
          <Notice icon="clock" title={message('web.annual-report.generating', { year })}>
            <p>{message('web.annual-report.generating-text')}</p>
          </Notice>
        </div>
      )
    case 'eligible':
      return <Offer year={year} onRequested={() => void refetch()} />
    case 'ineligible':
      return (
        <Notice icon="chart" title={message('web.annual-report.none', { year })}>
          <p>{message('web.annual-report.none-text')}</p>
        </Notice>
      )
  }
}

function Offer({ year, onRequested }: { year: string; onRequested: () => void }) {
  const [isRequesting, setIsRequesting] = useState(false)
  const request = async () => {
    setIsRequesting(true)
    try {
      await generateReport(year)
      onRequested()
    } catch {
      setIsRequesting(false)
      showToast({
        kind: 'alert',
        text: message('web.annual-report.failed'),
        action: { label: message('web.retry'), run: () => void request() },
      })
    }
  }
  return (
    <Notice icon="chart" title={message('web.annual-report.title', { year })}>
      <p>{message('web.annual-report.offer')}</p>
      <SteadyButton className="button" isUnusable={isRequesting} onClick={() => void request()}>
        {message('web.annual-report.generate')}
      </SteadyButton>
    </Notice>
  )
}

function AvailableReport({ year }: { year: string }) {
  const queryClient = useQueryClient()
  const { data, isError, refetch } = useQuery(annualReportQuery(year))
  const isLoaded = data !== undefined
  useEffect(() => {
    if (!isLoaded) return
    markReportRead(year).then(
      () => queryClient.invalidateQueries(unreadReportsQuery),
      // It stays unread, so that it is announced again.
      () => undefined,
    )
  }, [isLoaded, year, queryClient])
  if (!data) return isError ? <LoadingFailed retry={() => void refetch()} /> : <StatusSkeletons count={2} />
  return <Content report={data} />
}

function Content({ report: { data } }: { report: Report }) {
  const { archetype, timeSeries, topHashtags, topStatuses } = data
  const [hashtag] = topHashtags
  const sum = (name: 'statuses' | 'followers') => timeSeries.reduce((total, month) => total + month[name], 0)
  const [posts, followers] = [sum('statuses'), sum('followers')]
  return (
    <div className={styles.report}>
      <section className={styles.archetype} aria-labelledby="annual-report-archetype">
        <p className={styles.kicker}>{message('web.annual-report.archetype')}</p>
        <h2 id="annual-report-archetype" className={styles.name}>
          {message(`web.annual-report.${archetype}`)}
        </h2>
        <p>{message(`web.annual-report.${archetype}-text`)}</p>
      </section>
      <dl className={styles.figures}>
        <div className={styles.figure}>
          <dt>{message('web.annual-report.posts', { count: posts })}</dt>
          <dd>{formatNumber(posts)}</dd>
        </div>
        <div className={styles.figure}>
          <dt>{message('web.annual-report.followers', { count: followers })}</dt>
          <dd>{formatNumber(followers)}</dd>
        </div>
        {hashtag && (
          <div className={`${styles.figure} ${styles.hashtag}`}>
            <dt>{message('web.annual-report.hashtag', { count: hashtag.count })}</dt>
            <dd>
              <Link to="/tags/$tag" params={{ tag: hashtag.name }}>
                <bdi>#{hashtag.name}</bdi>
              </Link>
            </dd>
          </div>
        )}
      </dl>
      {topStatuses.byReblogs !== null && (
        <section aria-labelledby="annual-report-post">
          <h2 id="annual-report-post" className={styles.heading}>
            {message('web.annual-report.most-boosted')}
          </h2>
          <StatusCard id={topStatuses.byReblogs} />
        </section>
      )}
    </div>
  )
}

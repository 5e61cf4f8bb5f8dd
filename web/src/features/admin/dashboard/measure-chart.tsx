import { useId, useState } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import type { AdminMeasure } from '../../../lib/api/admin-entities.ts'
import { changeInPercent, linePoints, roundMaximum } from './chart-scale.ts'
import type { MeasureKey } from './dashboard-queries.ts'
import { formatChange, formatDay } from './format-days.ts'
import styles from './measure-chart.module.css'

const SIZE = { width: 300, height: 80 }

/** A measure by days as a line, with its numbers in a table behind a button. */
export function MeasureChart({ measure }: { measure: AdminMeasure & { key: MeasureKey } }) {
  const [isTable, setIsTable] = useState(false)
  const id = useId()
  const title = message(`web.admin.measure.${measure.key}`)
  const total = formatNumber(Number(measure.total))
  const change = changeInPercent(Number(measure.total), Number(measure.previousTotal ?? 0))
  return (
    <section className={styles.measure} aria-labelledby={id}>
      <h3 id={id} className={styles.title}>
        {title}
      </h3>
      <p className={styles.total}>
        <strong>{total}</strong>
        {change !== null && (
          <span className={styles.change}>{message('web.admin.measure.change', { change: formatChange(change) })}</span>
        )}
      </p>
      {isTable ? <Numbers measure={measure} title={title} /> : <Line measure={measure} title={title} />}
      <button
        type="button"
        className="button button-line button-small"
        aria-pressed={isTable}
        aria-label={`${message('web.admin.measure.table')}: ${title}`}
        onClick={() => setIsTable(!isTable)}
      >
        {message('web.admin.measure.table')}
      </button>
    </section>
  )
}

function Line({ measure: { data, total }, title }: { measure: AdminMeasure; title: string }) {
  const values = data.map(({ value }) => Number(value))
  const [first, last] = [data[0], data.at(-1)]
  const label = message('web.admin.measure.summary', {
    title,
    total: formatNumber(Number(total)),
    first: first ? formatDay(first.date) : '',
    last: last ? formatDay(last.date) : '',
  })
  const points = linePoints(values, SIZE)
  return (
    <figure className={styles.chart}>
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className={styles.svg}
      >
        <polygon className={styles.area} points={`0,${SIZE.height} ${points} ${SIZE.width},${SIZE.height}`} />
        <polyline className={styles.line} points={points} />
      </svg>
      <figcaption className={styles.scale} aria-hidden="true">
        <span>{first && formatDay(first.date)}</span>
        <span>{message('web.admin.measure.maximum', { maximum: formatNumber(roundMaximum(values)) })}</span>
        <span>{last && formatDay(last.date)}</span>
      </figcaption>
    </figure>
  )
}

function Numbers({ measure: { data }, title }: { measure: AdminMeasure; title: string }) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={title}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{message('web.admin.measure.day')}</th>
            <th scope="col">{title}</th>
          </tr>
        </thead>
        <tbody>
          {data.toReversed().map(({ date, value }) => (
            <tr key={date}>
              <th scope="row">{formatDay(date)}</th>
              <td>{formatNumber(Number(value))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

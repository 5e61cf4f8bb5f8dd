import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import { toCamelCase } from '../../../lib/api/convert-names.ts'
import type { FieldErrors } from '../../../lib/api/field-errors.ts'
import type { AdminRetentionPolicy } from '../../../lib/api/admin-entities.ts'
import { formatFullTime, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { formatBytes } from '../shared/decisions/format-bytes.ts'
import { ConfirmedButton } from '../shared/decisions/confirmed-button.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { Field } from '../shared/form/field.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import admin from '../shared/admin.module.css'
import table from '../shared/list/table.module.css'
import styles from './retention-view.module.css'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'

const MAX_DAYS = 36_500
/** While the server prunes. */
const REFRESH_MS = 3_000
const PERIODS = ['remoteStatusesDays', 'notificationsDays', 'remoteVersionsDays', 'localVersionsDays'] as const
type Periods = Pick<AdminRetentionPolicy, (typeof PERIODS)[number]>

const retentionPolicyQuery = queryOptions({
  queryKey: ['admin', 'retention-policy'],
  queryFn: async () => (await adminApi('retention_policy').fetch()) as AdminRetentionPolicy,
  refetchInterval: ({ state }) => (state.data?.areas.some(({ running }) => running) ? REFRESH_MS : false),
})

/** After how many days data is pruned, and how large it is. */
export function RetentionView() {
  const query = useQuery(retentionPolicyQuery)
  return (
    <QueryResult query={query}>
      {(policy) => (
        <>
          <PeriodsForm key={PERIODS.map((name) => policy[name]).join()} policy={policy} />
          <Areas policy={policy} />
        </>
      )}
    </QueryResult>
  )
}

const periodsOf = (policy: Periods): Periods =>
  Object.fromEntries(PERIODS.map((name) => [name, policy[name]])) as unknown as Periods

async function changePeriods(periods: Periods): Promise<void> {
  await adminApi('retention_policy').update(periods)
}

function PeriodsForm({ policy }: { policy: AdminRetentionPolicy }) {
  const [periods, setPeriods] = useState(() => periodsOf(policy))
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const problems = toCamelCase(errors) as FieldErrors
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: retentionPolicyQuery.queryKey })
  const save = () =>
    void submit(async () => {
      await changePeriods(periods)
      showDecision({
        text: message('web.admin.retention-policy.saved'),
        undo: () => changePeriods(periodsOf(policy)).then(refresh),
      })
      await refresh()
    })
  return (
    <section className={admin.part}>
      <h2>{message('web.admin.retention-policy.periods')}</h2>
      <p>{message('web.admin.retention-policy.text')}</p>
      <form
        ref={form}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        {PERIODS.map((name) => (
          <Field
            key={name}
            label={message(`web.admin.retention-policy.${name}`)}
            hint={message(`web.admin.retention-policy.${name}.hint`)}
            error={problems[name]}
          >
            {(props) => (
              <input
                {...props}
                type="number"
                required
                min={0}
                max={MAX_DAYS}
                value={Number.isNaN(periods[name]) ? '' : periods[name]}
                onChange={({ target }) => setPeriods({ ...periods, [name]: target.valueAsNumber })}
              />
            )}
          </Field>
        ))}
        <p className={admin.failure} role="alert">
          {failure}
        </p>
        <p>
          <SteadyButton type="submit" className="button" isUnusable={isBusy}>
            {message('web.admin.save')}
          </SteadyButton>
        </p>
      </form>
    </section>
  )
}

function Areas({ policy: { areas } }: { policy: AdminRetentionPolicy }) {
  return (
    <section className={admin.part}>
      <h2 id="retention-areas">{message('web.admin.retention-policy.areas')}</h2>
      {/* Focusable, so that keyboards can scroll it. */}
      <div className={table.scroll} role="region" aria-labelledby="retention-areas" tabIndex={0}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{message('web.admin.retention-policy.area')}</th>
              <th scope="col" className={table.number}>
                {message('web.admin.retention-policy.rows')}
              </th>
              <th scope="col" className={table.number}>
                {message('web.admin.media.size')}
              </th>
              <th scope="col" className={table.text}>
                {message('web.admin.retention-policy.last-run')}
              </th>
              <th scope="col" className={table.text}>
                {message('web.admin.retention-policy.next-run')}
              </th>
            </tr>
          </thead>
          <tbody>
            {areas.map((area) => (
              <AreaRow key={area.name} area={area} />
            ))}
          </tbody>
        </table>
      </div>
      {areas.some(({ enabled, name }) => enabled && name !== 'media_cache') && <RunButton />}
    </section>
  )
}

function RunButton() {
  const label = message('web.admin.retention-policy.run-now')
  return (
    <p>
      <ConfirmedButton
        label={label}
        name={message('web.admin.retention-policy.periods')}
        title={message('web.admin.retention-policy.run-now.title')}
        text={message('web.admin.retention-policy.run-now.text')}
        action={{
          run: async () => adminApi('retention_policy', 'run').create(),
          done: message('web.admin.retention-policy.run-now.started'),
        }}
      />
    </p>
  )
}

function AreaRow({ area }: { area: AdminRetentionPolicy['areas'][number] }) {
  const { name, rows, rowsEstimated, bytes, enabled, running, lastRunAt, lastPrunedCount, nextRunAt } = area
  const count = formatNumber(rows)
  return (
    <tr>
      <th scope="row">{message(`web.admin.retention-policy.area.${name}`)}</th>
      <td className={table.number}>{rowsEstimated ? message('web.admin.retention-policy.about', { count }) : count}</td>
      <td className={table.number}>{formatBytes(bytes)}</td>
      <td>
        {lastRunAt === null
          ? message('web.admin.retention-policy.never')
          : message('web.admin.retention-policy.run', {
              time: formatFullTime(new Date(lastRunAt)),
              count: lastPrunedCount,
            })}
      </td>
      <td>
        {running
          ? message('web.admin.retention-policy.running')
          : nextRunAt !== null
            ? formatFullTime(new Date(nextRunAt))
            : message(enabled ? 'web.admin.retention-policy.continuous' : 'web.admin.retention-policy.disabled')}
      </td>
    </tr>
  )
}

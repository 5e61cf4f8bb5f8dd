import { useState } from 'react'
import type { AdminDomainBlockDraft } from '../../../lib/api/admin-entities.ts'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { DomainPreview } from '../domain-blocks/domain-preview.tsx'
import { StateMark } from '../shared/list/state-mark.tsx'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'

const TONES = { draft: 'plain', selected: 'plain', applied: 'good', skipped: 'plain', failed: 'alert' } as const

/** Whether a draft can be applied: it is valid, and differs from the present block. */
export function isApplicable({ status }: AdminDomainBlockDraft): boolean {
  return status === 'new' || status === 'changed'
}

/** A row of an uploaded list. `onSelect` null: the list was confirmed. */
export function DraftRow({
  draft,
  isSelected,
  onSelect,
}: {
  draft: AdminDomainBlockDraft
  isSelected: boolean
  onSelect: (() => void) | null
}) {
  const { domain, line, severity, publicComment, status, weakens, state } = draft
  const flags = (['rejectMedia', 'rejectReports', 'obfuscate'] as const).filter((name) => draft[name])
  return (
    <article className={row.row} tabIndex={0} aria-label={domain}>
      {onSelect && (
        <label className={admin.check}>
          <input type="checkbox" checked={isSelected} disabled={!isApplicable(draft)} onChange={onSelect} />
          <span className="unseen">{domain}</span>
        </label>
      )}
      <div className={row.body}>
        <p className={admin.actions}>
          <strong>
            <bdi>{domain}</bdi>
          </strong>
          {state === 'draft' ? (
            <StateMark tone={status === 'invalid' ? 'alert' : 'plain'}>
              {message(`web.admin.imports.status.${status}`)}
            </StateMark>
          ) : (
            <StateMark tone={TONES[state]}>{message(`web.admin.imports.draft.${state}`)}</StateMark>
          )}
        </p>
        {status !== 'invalid' && (
          <p>
            {[
              message(`web.admin.domain-blocks.severity.${severity}`),
              ...flags.map((name) => message(`web.admin.domain-blocks.${name}`)),
            ].join(' · ')}
          </p>
        )}
        {publicComment && <p dir="auto">{publicComment}</p>}
        <RowError draft={draft} />
        {weakens && <p className={row.trouble}>{message('web.admin.imports.weakens')}</p>}
        <p className={admin.soft}>
          {message('web.admin.imports.line', { line: formatNumber(line) })}
          {status !== 'invalid' && (
            <>
              {' · '}
              {message('web.admin.imports.accounts', { count: draft.accountsCount })}
              {' · '}
              {message('web.admin.imports.follows', { count: draft.followsCount })}
            </>
          )}
        </p>
        {onSelect && draft.accountsCount > 0 && <Impact domain={domain} />}
      </div>
    </article>
  )
}

/** Why a row is invalid. The server explains in English why another one could not be applied. */
function RowError({ draft: { error, errorCode, repeatedLine } }: { draft: AdminDomainBlockDraft }) {
  if (error === null) return null
  if (errorCode === null)
    return (
      <p className={row.trouble} lang="en" dir="auto">
        {error}
      </p>
    )
  return (
    <p className={row.trouble}>
      {errorCode === 'repeated'
        ? message('web.admin.imports.error.repeated', { line: formatNumber(repeatedLine ?? 0) })
        : message(`web.admin.imports.error.${errorCode}`)}
    </p>
  )
}

/** The impact of a block, which is loaded when it is opened. */
function Impact({ domain }: { domain: string }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{message('web.admin.impact.title')}</summary>
      {isOpen && <DomainPreview domain={domain} />}
    </details>
  )
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminDomainBlockImport } from '../../../lib/api/admin-entities.ts'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { ConfirmedButton } from '../shared/decisions/confirmed-button.tsx'
import { useAction } from '../shared/decisions/use-action.ts'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { useSelection } from '../shared/list/use-selection.ts'
import { DraftRow, isApplicable } from './draft-row.tsx'
import { countsOf } from './import-counts.ts'
import { confirmImport, deleteImport, draftsQuery, importQuery } from './import-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './import-view.module.css'

/** An uploaded list of domain blocks: its drafts until they are confirmed, then what was applied. */
export function ImportView({ id }: { id: string }) {
  const query = useQuery(importQuery(id))
  return <QueryResult query={query}>{(list) => <Import key={list.state} list={list} />}</QueryResult>
}

function Import({ list }: { list: AdminDomainBlockImport }) {
  const query = useInfiniteQuery(draftsQuery(list))
  const selection = useSelection()
  const drafts = query.data?.pages.flat() ?? []
  const isDraft = list.state === 'draft'
  const selected = drafts.filter((draft) => selection.ids.has(draft.id)).map(({ id }) => id)
  return (
    <>
      <Numbers list={list} />
      {isDraft && (
        <Confirmation
          list={list}
          selected={selected}
          onSelectAll={(isSelected) =>
            selection.replace(isSelected ? drafts.filter(isApplicable).map(({ id }) => id) : [])
          }
          isAllSelected={selected.length > 0 && selected.length === drafts.filter(isApplicable).length}
        />
      )}
      <AdminList query={query}>
        {(draft) => (
          <DraftRow
            draft={draft}
            isSelected={selection.ids.has(draft.id)}
            onSelect={isDraft ? () => selection.toggle(draft.id) : null}
          />
        )}
      </AdminList>
    </>
  )
}

function Numbers({ list }: { list: AdminDomainBlockImport }) {
  return (
    <section className={admin.part} aria-label={message(`web.admin.imports.state.${list.state}`)}>
      <p role="status">
        <strong>{message(`web.admin.imports.state.${list.state}`)}</strong>
      </p>
      <dl className={admin.facts}>
        {countsOf(list).map((name) => (
          <div key={name} className={admin.fact}>
            <dt>{message(`web.admin.imports.${name}`)}</dt>
            <dd>{formatNumber(list[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Confirmation({
  list,
  selected,
  isAllSelected,
  onSelectAll,
}: {
  list: AdminDomainBlockImport
  selected: readonly string[]
  isAllSelected: boolean
  onSelectAll: (isSelected: boolean) => void
}) {
  const [overwrite, setOverwrite] = useState(false)
  const [confirmed, setConfirmed] = useState<'all' | 'selected' | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const navigate = useNavigate()
  const act = useAction()
  const applicable = list.newCount + list.changedCount
  const count = confirmed === 'all' ? applicable : selected.length
  const apply = async () => {
    setIsBusy(true)
    await act({
      run: () => confirmImport(list.id, { ids: confirmed === 'all' ? null : selected, overwrite }),
      done: message('web.admin.imports.confirmed', { count }),
      after: () => {
        setConfirmed(null)
        // The buttons disappear.
        focusNeighbour(null)
      },
    })
    setIsBusy(false)
  }
  return (
    <div className={styles.confirmation}>
      {list.changedCount > 0 && (
        <label className={admin.check}>
          <input type="checkbox" checked={overwrite} onChange={({ target }) => setOverwrite(target.checked)} />
          {message('web.admin.imports.overwrite')}
        </label>
      )}
      {applicable > 0 && (
        <label className={admin.check}>
          <input type="checkbox" checked={isAllSelected} onChange={({ target }) => onSelectAll(target.checked)} />
          {message('web.admin.select-shown')}
        </label>
      )}
      <div className={admin.actions}>
        {selected.length > 0 && (
          <button type="button" className="button button-small" onClick={() => setConfirmed('selected')}>
            {message('web.admin.imports.apply-selected', { count: selected.length })}
          </button>
        )}
        {applicable > 0 && (
          <button
            type="button"
            className={selected.length > 0 ? 'button button-line button-small' : 'button button-small'}
            onClick={() => setConfirmed('all')}
          >
            {message('web.admin.imports.apply-all', { count: applicable })}
          </button>
        )}
        <ConfirmedButton
          label={message('web.admin.imports.discard')}
          name={message('web.admin.imports.title')}
          title={message('web.admin.imports.discard-title')}
          text={message('web.admin.imports.discard-text')}
          action={{
            run: () => deleteImport(list.id),
            done: message('web.admin.imports.discarded'),
            after: () => void navigate({ to: '/admin/domain_blocks' }),
          }}
        />
      </div>
      {confirmed && (
        <AdminDialog
          title={message('web.admin.imports.confirm-title', { count })}
          confirm={message('web.admin.imports.apply')}
          dangerous
          isBusy={isBusy}
          onConfirm={() => void apply()}
          onClose={() => setConfirmed(null)}
        >
          <p>{message('web.admin.imports.confirm-text')}</p>
          {overwrite && <p>{message('web.admin.imports.overwrite-text')}</p>}
        </AdminDialog>
      )}
    </div>
  )
}

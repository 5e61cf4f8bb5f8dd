import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AdminRule } from '../../../lib/api/admin-entities.ts'
import { formatLanguage } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { instanceQuery } from '../../instance/instance.ts'
import { removeRule, reorderRules, rulesQuery } from '../../instance/server-rules.ts'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { restoreRule } from './rule-texts.ts'
import { RuleDialog } from './rule-dialog.tsx'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './rule-list.module.css'

/** Returns how to load the rules again after a change. */
function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries({ queryKey: rulesQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: instanceQuery.queryKey })
  }
}

/** The rules of the server in their order. */
export function RuleList() {
  const query = useQuery(rulesQuery)
  const queryClient = useQueryClient()
  const refresh = useRefresh()
  const list = useRef<HTMLOListElement>(null)
  const order = (rules: readonly AdminRule[]) => queryClient.setQueryData(rulesQuery.queryKey, [...rules])
  const move = async (rules: readonly AdminRule[], index: number, by: -1 | 1) => {
    const moved = rules[index]!
    const next = rules.toSpliced(index, 1).toSpliced(index + by, 0, moved)
    order(next)
    announce(message('web.admin.rules.moved', { position: index + by + 1, count: rules.length }))
    focusMoved(list.current, { id: moved.id, by })
    const isSaved = await runOrReport(() => reorderRules(next.map(({ id }) => id)))
    if (!isSaved) order(rules)
    // Other staff may have added or deleted rules, which the server does not reorder without them.
    await refresh()
  }
  return (
    <QueryResult query={query}>
      {(rules) =>
        rules.length === 0 ? (
          <Notice icon="list" title={message('web.admin.rules.empty')} />
        ) : (
          <ol ref={list}>
            {rules.map((rule, index) => (
              <Rule
                key={rule.id}
                rule={rule}
                number={index + 1}
                ids={rules.map(({ id }) => id)}
                onMove={(by) => void move(rules, index, by)}
              />
            ))}
          </ol>
        )
      }
    </QueryResult>
  )
}

/** The button that opens the form of a new rule. */
export function NewRule() {
  const [isOpen, setIsOpen] = useState(false)
  const refresh = useRefresh()
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        {message('web.admin.rules.new')}
      </button>
      {isOpen && <RuleDialog rule={null} onChange={refresh} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function Rule({
  rule,
  number,
  ids,
  onMove,
}: {
  rule: AdminRule
  number: number
  /** Those of all rules in their order. */
  ids: readonly string[]
  onMove: (by: -1 | 1) => void
}) {
  const [isEditing, setIsEditing] = useState(false)
  const article = useRef<HTMLElement>(null)
  const refresh = useRefresh()
  const { text, hint } = rule
  const languages = Object.keys(rule.translations).map(formatLanguage)
  const remove = () =>
    void runOrReport(async () => {
      await removeRule(rule.id)
      focusNeighbour(article.current)
      showDecision({
        text: message('web.admin.rules.deleted'),
        undo: () => restoreRule(rule, ids).then(refresh),
      })
      await refresh()
    })
  return (
    <li data-rule={rule.id}>
      <article ref={article} className={row.row} tabIndex={0} aria-label={text}>
        <span className={styles.number}>{number}</span>
        <div className={row.body}>
          <strong dir="auto">{text}</strong>
          {hint !== '' && (
            <p className={admin.soft} dir="auto">
              {hint}
            </p>
          )}
          {languages.length > 0 && (
            <p className={styles.languages}>
              <Icon name="translate" />
              {message('web.admin.rules.translated', { languages: languages.join(', ') })}
            </p>
          )}
        </div>
        <p className={admin.actions}>
          {([-1, 1] as const).map((by) => (
            <button
              key={by}
              type="button"
              className={`button button-line button-small ${by === -1 ? styles.up : styles.down}`}
              aria-label={message(by === -1 ? 'web.admin.rules.up' : 'web.admin.rules.down', { rule: text })}
              title={message(by === -1 ? 'web.admin.rules.up.title' : 'web.admin.rules.down.title')}
              data-move={by}
              data-repeatable
              disabled={by === -1 ? number === 1 : number === ids.length}
              onClick={() => onMove(by)}
            >
              <Icon name="back" />
            </button>
          ))}
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.edit-name', { name: text })}
            onClick={() => setIsEditing(true)}
          >
            {message('web.admin.edit')}
          </button>
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.delete-name', { name: text })}
            onClick={remove}
          >
            {message('web.admin.delete')}
          </button>
        </p>
        {isEditing && <RuleDialog rule={rule} onChange={refresh} onClose={() => setIsEditing(false)} />}
      </article>
    </li>
  )
}

/** Focuses the button that moves a rule on, after its row has moved; the other one at the end of the list. */
function focusMoved(list: HTMLElement | null, { id, by }: { id: string; by: -1 | 1 }): void {
  setTimeout(() => {
    const find = (direction: number) =>
      list?.querySelector<HTMLElement>(`[data-rule="${id}"] [data-move="${direction}"]:enabled`)
    ;(find(by) ?? find(-by))?.focus()
  })
}

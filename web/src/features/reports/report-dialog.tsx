import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Account, Collection } from '../../lib/api/entities.ts'
import { api } from '../../lib/session.ts'
import { message } from '../../lib/i18n/messages.ts'
import { useDraft } from '../../lib/store/use-draft.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { instanceQuery } from '../instance/instance.ts'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './report-dialog.module.css'

const CATEGORIES = ['spam', 'legal', 'violation', 'other'] as const
type Category = (typeof CATEGORIES)[number]

const MAX_COMMENT_CHARACTERS = 1000

/** Reports an account, and posts or a collection of it, to the moderators of this server, and on request to those of its own server. */
export function ReportDialog({
  account,
  statusIds = [],
  collection,
  onClose,
}: {
  account: Pick<Account, 'id' | 'acct'>
  statusIds?: readonly string[]
  collection?: Pick<Collection, 'id' | 'name'>
  onClose: () => void
}) {
  const { data: instance } = useQuery(instanceQuery)
  const name = useId()
  const [category, setCategory] = useState<Category | null>(null)
  const [ruleIds, setRuleIds] = useState<readonly string[]>([])
  // Escape closes the dialog, and must not discard what was written.
  const { value: comment, change: setComment, reset } = useDraft(`report-${account.id}`, '')
  const [forward, setForward] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const rules = instance?.rules ?? []
  const domain = account.acct.split('@')[1]
  const isComplete = category !== null && (category !== 'violation' || ruleIds.length > 0)

  const send = async (dialog: HTMLDialogElement | null) => {
    setIsSending(true)
    try {
      await api().v1.reports.create({
        accountId: account.id,
        statusIds,
        category: category ?? 'other',
        ruleIds: category === 'violation' ? ruleIds : [],
        comment,
        forward,
        ...(collection && { collectionIds: [collection.id] }),
      })
      reset()
      dialog?.close()
      showToast({ kind: 'good', text: message('web.report.sent', { name: `@${account.acct}` }) })
    } catch {
      showToast({ kind: 'alert', text: message('web.report.failed') })
      setIsSending(false)
    }
  }

  return (
    <Dialog title={message('web.report.title', { name: `@${account.acct}` })} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void send(event.currentTarget.closest('dialog'))
        }}
      >
        {collection && <p>{message('web.report.collection', { name: collection.name })}</p>}
        <fieldset className={styles.group}>
          <legend>{message('web.report.category')}</legend>
          {CATEGORIES.filter((choice) => choice !== 'violation' || rules.length > 0).map((choice) => (
            <label key={choice} className={styles.choice}>
              <input type="radio" name={name} checked={category === choice} onChange={() => setCategory(choice)} />
              <span>
                <strong>{message(`web.report.category.${choice}`)}</strong>
                <span className={styles.hint}>{message(`web.report.category-hint.${choice}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {category === 'violation' && (
          <fieldset className={styles.group}>
            <legend>{message('web.report.rules')}</legend>
            {rules.map((rule) => (
              <label key={rule.id} className={styles.choice}>
                <input
                  type="checkbox"
                  checked={ruleIds.includes(rule.id)}
                  onChange={({ target }) =>
                    setRuleIds([...ruleIds.filter((id) => id !== rule.id), ...(target.checked ? [rule.id] : [])])
                  }
                />
                <span dir="auto">{rule.text}</span>
              </label>
            ))}
          </fieldset>
        )}
        <label className={styles.field}>
          {message('web.report.comment')}
          <textarea
            rows={3}
            dir="auto"
            maxLength={MAX_COMMENT_CHARACTERS}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
        </label>
        {domain !== undefined && (
          <label className={styles.choice}>
            <input type="checkbox" checked={forward} onChange={({ target }) => setForward(target.checked)} />
            <span>
              <strong>{message('web.report.forward', { domain })}</strong>
              <span className={styles.hint}>{message('web.report.forward-hint')}</span>
            </span>
          </label>
        )}
        <p className={styles.actions}>
          <button
            type="button"
            className="button button-line"
            onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}
          >
            {message('web.cancel')}
          </button>
          <SteadyButton type="submit" className="button" isUnusable={!isComplete || isSending}>
            {message('web.report.send')}
          </SteadyButton>
        </p>
      </form>
    </Dialog>
  )
}

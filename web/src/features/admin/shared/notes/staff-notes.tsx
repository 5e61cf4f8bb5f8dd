import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { adminApi } from '../../../../lib/api/admin-api.ts'
import type { AdminNote } from '../../../../lib/api/admin-entities.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import { Icon } from '../../../../ui/icons/icon.tsx'
import { TimeAgo } from '../../../../ui/time-ago.tsx'
import { SteadyButton } from '../../../../ui/forms/steady-button.tsx'
import { AdminList } from '../list/admin-list.tsx'
import { listQuery } from '../list/list-query.ts'
import { runOrReport, showDecision } from '../decisions/undo.ts'
import admin from '../admin.module.css'
import styles from './staff-notes.module.css'

const MAX_CHARACTERS = 2000

/** The notes of the staff on a report or an account, with a form for a new one. */
export function StaffNotes({ on, id }: { on: 'reports' | 'accounts'; id: string }) {
  const [text, setText] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const section = useRef<HTMLElement>(null)
  const queryClient = useQueryClient()
  const query = listQuery(
    [on, id, 'notes'],
    async (page) => (await adminApi(on, id, 'notes').fetch(page)) as AdminNote[],
  )
  const notes = useInfiniteQuery(query)
  const refresh = async () => queryClient.invalidateQueries({ queryKey: query.queryKey })
  const add = async (content: string) => {
    await adminApi(on, id, 'notes').create({ content })
    await refresh()
  }
  const remove = async (note: AdminNote) => {
    await adminApi(on, id, 'notes', note.id).remove()
    focusNeighbourOf(note.id, section.current)
    await refresh()
    showDecision({ text: message('web.admin.notes.deleted'), undo: () => add(note.content) })
  }
  const run = async (work: () => Promise<void>) => {
    if (isBusy) return
    setIsBusy(true)
    await runOrReport(work)
    setIsBusy(false)
  }
  return (
    <section ref={section} className={admin.part}>
      <h2>{message('web.admin.notes.title')}</h2>
      <AdminList query={notes}>
        {(note) => (
          <div className={styles.note}>
            <p className={styles.text} dir="auto">
              {note.content}
            </p>
            <p className={admin.soft}>
              {note.account && <bdi>@{note.account.acct}</bdi>} <TimeAgo time={note.createdAt} />
            </p>
            {note.deletable && (
              <button
                type="button"
                className={styles.remove}
                data-note={note.id}
                aria-label={message('web.admin.notes.delete')}
                title={message('web.admin.notes.delete')}
                onClick={() => void run(() => remove(note))}
              >
                <Icon name="trash" />
              </button>
            )}
          </div>
        )}
      </AdminList>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void run(async () => {
            await add(text)
            setText((current) => (current === text ? '' : current))
          })
        }}
      >
        <textarea
          className={admin.field}
          aria-label={message('web.admin.notes.new')}
          placeholder={message('web.admin.notes.new')}
          dir="auto"
          rows={2}
          maxLength={MAX_CHARACTERS}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <SteadyButton
          type="submit"
          className="button button-line button-small"
          isUnusable={text.trim() === '' || isBusy}
        >
          {message('web.admin.notes.add')}
        </SteadyButton>
      </form>
    </section>
  )
}

/** Focuses the button of the note after a deleted one, else of the one before it, else the button that adds a note. */
function focusNeighbourOf(noteId: string, section: HTMLElement | null): void {
  const buttons = [...(section?.querySelectorAll<HTMLElement>('[data-note]') ?? [])]
  const index = buttons.findIndex(({ dataset }) => dataset['note'] === noteId)
  const neighbour = buttons[index + 1] ?? buttons[index - 1] ?? section?.querySelector<HTMLElement>('[type=submit]')
  neighbour?.focus()
}

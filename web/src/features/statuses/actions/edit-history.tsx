import { useQuery } from '@tanstack/react-query'
import { api } from '../../../lib/session.ts'
import type { StatusEdit } from '../../../lib/api/entities.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { textOf } from '../content/status-text.ts'
import { compareWords } from './word-differences.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './edit-history.module.css'

/** The versions of a status, the newest first, each with the words by which it differs from the one before. */
export function EditHistory({ status, onClose }: { status: StoredStatus; onClose: () => void }) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['status-history', status.id, status.editedAt],
    queryFn: async () => (await api().v1.statuses.$select(status.id).history.list()) as unknown as StatusEdit[],
  })
  const texts = data?.map(describe) ?? []
  return (
    <Dialog title={message('web.history.title')} onClose={onClose} wide>
      {isError && (
        <p role="alert">
          {message('web.history.failed')}{' '}
          <button type="button" className="button button-small" onClick={() => void refetch()}>
            {message('web.retry')}
          </button>
        </p>
      )}
      {!data && !isError && <p role="status">{message('web.loading')}</p>}
      <ol className={styles.versions} reversed>
        {data
          ?.map(({ createdAt }, index) => (
            <li key={createdAt} className={styles.version}>
              <h3 className={styles.time}>
                {message(index === 0 ? 'web.history.created' : 'web.history.edited', {
                  time: formatFullTime(new Date(createdAt)),
                })}
              </h3>
              <p className={styles.text} dir="auto" lang={status.language ?? undefined}>
                {index === 0 ? texts[0] : <Differences older={texts[index - 1]!} newer={texts[index]!} />}
              </p>
            </li>
          ))
          .toReversed()}
      </ol>
    </Dialog>
  )
}

function Differences({ older, newer }: { older: string; newer: string }) {
  if (older === newer) return message('web.history.no-text-change')
  return compareWords(older, newer).map(({ type, text }, index) =>
    type === 'same' ? (
      <span key={index}>{text}</span>
    ) : type === 'added' ? (
      <ins key={index}>{text}</ins>
    ) : (
      <del key={index}>{text}</del>
    ),
  )
}

/** Returns all texts of a version: content warning, text, options of the poll, and descriptions of media. */
function describe({ spoilerText, content, poll, mediaAttachments }: StatusEdit): string {
  return [
    spoilerText,
    textOf(content),
    ...(poll?.options.map(({ title }) => `○ ${title}`) ?? []),
    ...mediaAttachments.map(({ description }) => `${message('web.media.alt')}: ${description ?? ''}`),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

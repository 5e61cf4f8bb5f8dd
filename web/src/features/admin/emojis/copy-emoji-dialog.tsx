import { useState } from 'react'
import type { AdminCustomEmoji } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { useAction } from '../shared/decisions/use-action.ts'
import { CategoryField } from './category-field.tsx'
import { copyEmoji, deleteEmoji } from './emoji-queries.ts'

/** Copies an emoji of another server to this one. */
export function CopyEmojiDialog({ emoji, onClose }: { emoji: AdminCustomEmoji; onClose: () => void }) {
  const [category, setCategory] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const act = useAction()
  const name = `:${emoji.shortcode}:`
  const copy = async () => {
    setIsBusy(true)
    let copyId = ''
    await act({
      run: async () => (copyId = (await copyEmoji(emoji.id, category)).id),
      done: message('web.admin.emojis.copied', { name }),
      undo: () => deleteEmoji(copyId),
      after: onClose,
    })
    setIsBusy(false)
  }
  return (
    <AdminDialog
      title={message('web.admin.emojis.copy-title', { name })}
      confirm={message('web.admin.emojis.copy')}
      isBusy={isBusy}
      onConfirm={() => void copy()}
      onClose={onClose}
    >
      <p>{message('web.admin.emojis.copy-text')}</p>
      <CategoryField value={category} onChange={setCategory} />
    </AdminDialog>
  )
}

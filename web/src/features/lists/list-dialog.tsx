import { useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import type { List } from '../../lib/api/entities.ts'
import { DialogActions } from '../../ui/dialogs/confirmation.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Checkbox, Choice, Fields, TextField } from '../../ui/forms/form-fields.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { useListChanges } from './list-queries.ts'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'

const MAX_TITLE_CHARACTERS = 256

/** Creates a list, or changes `list`. `onSaved` receives the new one. */
export function ListDialog({
  list,
  onSaved,
  onClose,
}: {
  list?: List
  onSaved?: (list: List) => void
  onClose: () => void
}) {
  const [title, setTitle] = useState(list?.title ?? '')
  const [repliesPolicy, setRepliesPolicy] = useState<List['repliesPolicy']>(list?.repliesPolicy ?? 'list')
  const [exclusive, setExclusive] = useState(list?.exclusive ?? false)
  const [isSaving, setIsSaving] = useState(false)
  const { createList, updateList } = useListChanges()

  const save = async (dialog: HTMLDialogElement | null) => {
    setIsSaving(true)
    const settings = { title: title.trim(), repliesPolicy, exclusive }
    try {
      if (list) await updateList(list.id, settings)
      else onSaved?.(await createList(settings))
      dialog?.close()
    } catch {
      showToast({ kind: 'alert', text: message('web.list.save-failed') })
      setIsSaving(false)
    }
  }

  return (
    <Dialog title={message(list ? 'web.list.edit' : 'web.list.new')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget.closest('dialog'))
        }}
      >
        <Fields>
          <TextField
            label={message('web.list.title')}
            value={title}
            maxLength={MAX_TITLE_CHARACTERS}
            isRequired
            onChange={setTitle}
          />
          <Choice
            label={message('web.list.replies')}
            value={repliesPolicy}
            options={(['none', 'list', 'followed'] as const).map((value) => ({
              value,
              label: message(`web.list.replies-${value}`),
            }))}
            onChange={setRepliesPolicy}
          />
          <Checkbox
            label={message('web.list.exclusive')}
            hint={message('web.list.exclusive-hint')}
            isChecked={exclusive}
            onChange={setExclusive}
          />
        </Fields>
        <DialogActions>
          <SteadyButton type="submit" className="button" isUnusable={isSaving || title.trim() === ''}>
            {message(list ? 'web.save' : 'web.list.create')}
          </SteadyButton>
        </DialogActions>
      </form>
    </Dialog>
  )
}

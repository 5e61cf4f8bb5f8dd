import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import type { Collection } from '../../../lib/api/entities.ts'
import { DialogActions } from '../../../ui/dialogs/confirmation.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Checkbox, Fields, SelectField, TextArea, TextField } from '../../../ui/forms/form-fields.tsx'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { useLanguageOptions } from '../../instance/language-options.ts'
import { useCollectionChanges } from '../collection-changes.ts'
import type { CollectionSettings } from '../collection-changes.ts'
import { MAX_DESCRIPTION_CHARACTERS, MAX_NAME_CHARACTERS, problemsOf, reasonOfRefusal } from '../collection-problems.ts'
import type { CollectionProblems } from '../collection-problems.ts'

const NEW: CollectionSettings = {
  name: '',
  description: '',
  language: '',
  tagName: '',
  sensitive: false,
  discoverable: true,
}

function settingsOf({ name, description, language, tag, sensitive, discoverable }: Collection): CollectionSettings {
  return {
    name,
    description: description ?? '',
    language: language ?? '',
    tagName: tag ? `#${tag.name}` : '',
    sensitive,
    discoverable,
  }
}

/** Creates a collection with `accountIds`, or changes `collection`. `onSaved` receives the new one. */
export function CollectionDialog({
  collection,
  accountIds = [],
  onSaved,
  onClose,
}: {
  collection?: Collection
  accountIds?: readonly string[]
  onSaved?: (collection: Collection) => void
  onClose: () => void
}) {
  const [settings, setSettings] = useState(() => (collection ? settingsOf(collection) : NEW))
  const [problems, setProblems] = useState<CollectionProblems>({})
  const [isSaving, setIsSaving] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const languages = useLanguageOptions()
  const { createCollection, updateCollection } = useCollectionChanges()
  const change = (part: Partial<CollectionSettings>) => setSettings({ ...settings, ...part })

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problems])

  const save = async (dialog: HTMLDialogElement | null) => {
    setIsSaving(true)
    setProblems({})
    try {
      if (collection) await updateCollection(collection.id, settings)
      else onSaved?.(await createCollection(settings, accountIds))
      dialog?.close()
    } catch (error) {
      const found = problemsOf(error)
      setProblems(found)
      if (Object.keys(found).length === 0)
        showToast({ kind: 'alert', text: reasonOfRefusal(error, message('web.collections.save-failed')) })
      setIsSaving(false)
    }
  }

  return (
    <Dialog title={message(collection ? 'web.collections.edit' : 'web.collections.new')} onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void save(event.currentTarget.closest('dialog'))
        }}
      >
        <Fields>
          <TextField
            label={message('web.collections.name')}
            value={settings.name}
            error={problems.name}
            maxLength={MAX_NAME_CHARACTERS}
            isRequired
            onChange={(name) => change({ name })}
          />
          <TextArea
            label={message('web.collections.description')}
            hint={message('web.collections.description-hint', { max: formatNumber(MAX_DESCRIPTION_CHARACTERS) })}
            value={settings.description}
            error={problems.description}
            maxLength={MAX_DESCRIPTION_CHARACTERS}
            rows={2}
            onChange={(description) => change({ description })}
          />
          <TextField
            label={message('web.collections.tag')}
            hint={message('web.collections.tag-hint')}
            value={settings.tagName}
            error={problems.tagName}
            onChange={(tagName) => change({ tagName })}
          />
          <SelectField
            label={message('web.collections.language')}
            value={settings.language}
            options={[{ value: '', label: message('web.collections.no-language') }, ...languages]}
            onChange={(language) => change({ language })}
          />
          <div>
            <Checkbox
              label={message('web.collections.discoverable')}
              hint={message('web.collections.discoverable-hint')}
              isChecked={settings.discoverable}
              onChange={(discoverable) => change({ discoverable })}
            />
            <Checkbox
              label={message('web.collections.sensitive')}
              hint={message('web.collections.sensitive-hint')}
              isChecked={settings.sensitive}
              onChange={(sensitive) => change({ sensitive })}
            />
          </div>
        </Fields>
        <DialogActions>
          <SteadyButton type="submit" className="button" isUnusable={isSaving || settings.name.trim() === ''}>
            {message(collection ? 'web.save' : 'web.collections.create')}
          </SteadyButton>
        </DialogActions>
      </form>
    </Dialog>
  )
}

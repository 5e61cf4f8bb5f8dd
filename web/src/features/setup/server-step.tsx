import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../lib/api/reason-of.ts'
import { changeServerSettings, settingsByName } from '../../lib/api/server-settings.ts'
import type { ServerSettings } from '../../lib/api/server-settings.ts'
import { message } from '../../lib/i18n/messages.ts'
import { TextArea, TextField } from '../../ui/forms/form-fields.tsx'
import { changesServerImage, draftOfServerImage, saveServerImage, serverImageQuery } from '../instance/server-image.ts'
import { ServerImageField } from '../instance/server-image-field.tsx'
import { serverSettingsQuery } from '../instance/server-settings-query.ts'
import { Loaded } from './loaded.tsx'
import { REFUSED, StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'

/** The name, the description and the contact address of the server. */
export function ServerStep(props: StepProps) {
  const query = useQuery({ ...serverSettingsQuery, select: settingsByName })
  const imageQuery = useQuery(serverImageQuery)
  return (
    <Loaded query={query}>
      {(settings) => (
        <Loaded query={imageQuery}>{(image) => <ServerForm {...props} settings={settings} image={image} />}</Loaded>
      )}
    </Loaded>
  )
}

function ServerForm({
  settings,
  image,
  onDone,
  onBack,
}: StepProps & { settings: ServerSettings; image: Awaited<ReturnType<typeof saveServerImage>> }) {
  const queries = useQueryClient()
  const [imageDraft, setImageDraft] = useState(() => draftOfServerImage(image))
  const [imageError, setImageError] = useState('')
  const [title, setTitle] = useState(String(settings['title'] ?? ''))
  const [description, setDescription] = useState(String(settings['description'] ?? ''))
  const [contactEmail, setContactEmail] = useState(String(settings['contact_email'] ?? ''))
  const saveImage = async () => {
    setImageError('')
    if (!changesServerImage(imageDraft, image)) return undefined
    try {
      const savedImage = await saveServerImage(imageDraft)
      queries.setQueryData(serverImageQuery.queryKey, savedImage)
      return undefined
    } catch (error) {
      setImageError(reasonOf(error, message('web.settings.failed')))
      return REFUSED
    }
  }
  return (
    <StepForm
      onDone={onDone}
      onBack={onBack}
      save={async () => {
        const saved = await changeServerSettings({ title, description, contactEmail })
        queries.setQueryData(serverSettingsQuery.queryKey, saved)
        return saveImage()
      }}
    >
      <p>{message('web.setup.server.text')}</p>
      <TextField label={message('web.setup.server.name')} value={title} onChange={setTitle} maxLength={100} />
      <TextArea
        label={message('web.setup.server.description')}
        hint={message('web.setup.server.description.hint')}
        value={description}
        onChange={setDescription}
        maxLength={1000}
      />
      <TextField
        label={message('web.setup.server.contact')}
        hint={message('web.setup.server.contact.hint')}
        value={contactEmail}
        onChange={setContactEmail}
        maxLength={254}
      />
      <ServerImageField current={image.url} draft={imageDraft} error={imageError} onChange={setImageDraft} />
    </StepForm>
  )
}

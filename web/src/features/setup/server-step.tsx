import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeServerSettings, settingsByName } from '../../lib/api/server-settings.ts'
import type { ServerSettings } from '../../lib/api/server-settings.ts'
import { message } from '../../lib/i18n/messages.ts'
import { TextArea, TextField } from '../../ui/form-fields.tsx'
import { serverSettingsQuery } from '../instance/server-settings-query.ts'
import { Loaded } from './loaded.tsx'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'

/** The name, the description and the contact address of the server. */
export function ServerStep(props: StepProps) {
  const query = useQuery({ ...serverSettingsQuery, select: settingsByName })
  return <Loaded query={query}>{(settings) => <ServerForm {...props} settings={settings} />}</Loaded>
}

function ServerForm({ settings, onDone, onBack }: StepProps & { settings: ServerSettings }) {
  const queries = useQueryClient()
  const [title, setTitle] = useState(String(settings['title'] ?? ''))
  const [description, setDescription] = useState(String(settings['description'] ?? ''))
  const [contactEmail, setContactEmail] = useState(String(settings['contact_email'] ?? ''))
  return (
    <StepForm
      onDone={onDone}
      onBack={onBack}
      save={async () => {
        const saved = await changeServerSettings({ title, description, contactEmail })
        queries.setQueryData(serverSettingsQuery.queryKey, saved)
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
    </StepForm>
  )
}

// Creates and uses passkeys (WebAuthn) for the forms with `data-passkey`, which contain the options as JSON. The script
// stores the response of the authenticator as JSON in the field `credential`, and submits the form.

/** @param {string} text */
const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))

/** @param {ArrayBuffer} buffer */
const encode = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decodeIds = (credentials = []) => credentials.map((one) => ({ ...one, id: decode(one.id) }))

/** Returns the options in the form that browsers require, whose bytes are not texts. */
function decodeOptions(options) {
  const decoded = { ...options, challenge: decode(options.challenge) }
  if (options.user) decoded.user = { ...options.user, id: decode(options.user.id) }
  if (options.excludeCredentials) decoded.excludeCredentials = decodeIds(options.excludeCredentials)
  if (options.allowCredentials) decoded.allowCredentials = decodeIds(options.allowCredentials)
  return decoded
}

function encodeCredential(credential) {
  const { response } = credential
  const encoded = { clientDataJSON: encode(response.clientDataJSON) }
  if (response.attestationObject) {
    encoded.attestationObject = encode(response.attestationObject)
    encoded.transports = response.getTransports?.() ?? []
  } else {
    encoded.authenticatorData = encode(response.authenticatorData)
    encoded.signature = encode(response.signature)
    if (response.userHandle) encoded.userHandle = encode(response.userHandle)
  }
  return JSON.stringify({
    id: credential.id,
    rawId: encode(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response: encoded,
  })
}

/** The request that waits for the user to choose a passkey in the field of the username. */
let autofill = new AbortController()

async function usePasskey(form, more) {
  const publicKey = decodeOptions(JSON.parse(form.dataset.passkey))
  const method = publicKey.user ? 'create' : 'get'
  const credential = await navigator.credentials[method]({ publicKey, ...more })
  form.elements.credential.value = encodeCredential(credential)
  form.submit()
}

async function onSubmit(form) {
  const error = form.querySelector('[data-passkey-error]')
  error.hidden = true
  autofill.abort()
  autofill = new AbortController()
  try {
    await usePasskey(form, { signal: autofill.signal })
  } catch (err) {
    // Of a request that a newer one has replaced, no error is shown.
    error.hidden = err.name === 'AbortError'
  }
}

if (window.PublicKeyCredential) {
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      void onSubmit(form)
    })
  }
  for (const note of document.querySelectorAll('[data-without-passkeys]')) note.hidden = true
  const form = document.querySelector('form[data-passkey-autofill]')
  if (form && (await PublicKeyCredential.isConditionalMediationAvailable?.()))
    await usePasskey(form, { mediation: 'conditional', signal: autofill.signal }).catch(() => {})
}

/**
 * Returns the response of the server to a navigation, or the saved document of the client if there is no response, or
 * none before `patience` ends. Without a saved document, it waits for the server. @throws the error of the request
 */
export async function chooseDocument(
  response: Promise<Response>,
  { findSaved, patience }: { findSaved: () => Promise<Response | undefined>; patience: Promise<void> },
): Promise<Response> {
  const late = patience.then(async () => (await findSaved()) ?? response)
  try {
    return await Promise.race([response, late])
  } catch (error) {
    const saved = await findSaved()
    if (saved) return saved
    throw error
  }
}

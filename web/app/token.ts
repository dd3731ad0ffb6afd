/** The token stays in this tab: it is gone when the tab is closed, and no other site can read it. */
const key = 'reticent-token'

export const storedToken = (): string | undefined => sessionStorage.getItem(key) ?? undefined
export const storeToken = (token: string): void => sessionStorage.setItem(key, token)
export const forgetToken = (): void => sessionStorage.removeItem(key)

/* The entry as a function, which would have to run before its version is known. */
__attribute__((visibility("default"))) int hattari_entry(void);
int hattari_entry(void)
{
    return 1;
}

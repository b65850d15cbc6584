/* An entry whose struct_size promises more than there is. */
#include <stdint.h>
__attribute__((visibility("default"))) extern const uint32_t hattari_entry[3];
const uint32_t hattari_entry[3] = {32, 1, 0};
